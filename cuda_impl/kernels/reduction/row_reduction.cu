// Reduces many rows, one block for each row.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/in_block.cuh"
#include "cuda_impl/kernels/reduction/reduction.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {
/// A block processes every `gridDim.x`-th row.
template <typename T>
__global__ void __launch_bounds__(kBlock)
    row_reduction_kernel(const T* elements, WideOf<T>* results, RowsOfElements rows,
                         EachElement<T> each, Combination combination) {
  auto& block = shared_variable<InBlock<WideOf<T>>>();
  const std::int64_t row_count = rows.rows();
  for (std::int64_t row = blockIdx.x; row < row_count; row += gridDim.x) {
    const std::int64_t first = row * rows.length;
    const std::int64_t left = rows.count - first;
    const WideOf<T> result =
        block.reduced(left < rows.length ? left : rows.length, combination,
                      [&](std::int64_t i) { return each(elements[first + i]); });
    if (threadIdx.x == 0) results[row] = result;
  }
}

namespace {

template <typename T>
void launch_rows_of(const ReductionTask& task, const RowsOfElements& rows) {
  launch(row_reduction_kernel<T>, {blocks_for(rows.rows() * kBlock)},
         static_cast<const T*>(task.elements), static_cast<WideOf<T>*>(task.results), rows,
         EachElement<T>{task.each}, task.combination);
}

}  // namespace

void launch_row_reduction(const ReductionTask& task, const RowsOfElements& rows) {
  if (task.dtype == Dtype::kInt64) return launch_rows_of<std::int64_t>(task, rows);
  visit_floating(task.dtype, [&](auto tag) { launch_rows_of<Tagged<decltype(tag)>>(task, rows); });
}

}  // namespace assay::cuda
