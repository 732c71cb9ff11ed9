// Many rows, each reduced by one block.
#include <cub/block/block_reduce.cuh>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/reduction.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {
namespace {

/// Whole and contiguous rows; every block takes each `gridDim.x`-th.
template <typename T>
__global__ void __launch_bounds__(kBlock)
    row_reduction_kernel(const T* elements, WideOf<T>* results, std::int64_t rows,
                         std::int64_t count, EachElement<T> each, Join<WideOf<T>> join) {
  using Wide = WideOf<T>;
  using InBlock = cub::BlockReduce<Wide, kBlock>;
  __shared__ typename InBlock::TempStorage scratch;
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    Wide value = join.neutral();
    for (std::int64_t i = threadIdx.x; i < count; i += kBlock) {
      value = join(value, each(elements[row * count + i]));
    }
    value = InBlock(scratch).Reduce(value, join);
    if (threadIdx.x == 0) results[row] = value;
    __syncthreads();  // the next row uses the same scratch
  }
}

template <typename T>
void launch_rows_of(const ReductionTask& task) {
  using Wide = WideOf<T>;
  launch(row_reduction_kernel<T>, {blocks_for(task.rows * kBlock)},
         static_cast<const T*>(task.elements), static_cast<Wide*>(task.results), task.rows,
         task.count, EachElement<T>{task.each}, Join<Wide>{task.joined});
}

}  // namespace

void launch_row_reduction(const ReductionTask& task) {
  if (task.dtype == Dtype::kInt64) return launch_rows_of<std::int64_t>(task);
  visit_floating(task.dtype, [&](auto tag) { launch_rows_of<Tagged<decltype(tag)>>(task); });
}

}  // namespace assay::cuda
