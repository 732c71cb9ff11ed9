// Many rows, each reduced by one block.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/in_block.cuh"
#include "cuda_impl/kernels/reduction.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {
namespace {

/// Contiguous rows; every block takes each `gridDim.x`-th.
template <typename T>
__global__ void __launch_bounds__(kBlock)
    row_reduction_kernel(const T* elements, WideOf<T>* results, std::int64_t rows,
                         std::int64_t count, EachElement<T> each, Joined joined) {
  __shared__ InBlock<WideOf<T>> block;
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const WideOf<T> result = block.reduced(
        count, joined, [&](std::int64_t i) { return each(elements[row * count + i]); });
    if (threadIdx.x == 0) results[row] = result;
  }
}

template <typename T>
void launch_rows_of(const ReductionTask& task) {
  using Wide = WideOf<T>;
  launch(row_reduction_kernel<T>, {blocks_for(task.rows * kBlock)},
         static_cast<const T*>(task.elements), static_cast<Wide*>(task.results), task.rows,
         task.count, EachElement<T>{task.each}, task.joined);
}

}  // namespace

void launch_row_reduction(const ReductionTask& task) {
  if (task.dtype == Dtype::kInt64) return launch_rows_of<std::int64_t>(task);
  visit_floating(task.dtype, [&](auto tag) { launch_rows_of<Tagged<decltype(tag)>>(task); });
}

}  // namespace assay::cuda
