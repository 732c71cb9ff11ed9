// Reduces many rows, one block for each row; scans lines and sums segments, one thread for each
// result or line.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <string>
#include <type_traits>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/in_block.cuh"
#include "cuda_impl/kernels/reduction/reduction.cuh"

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

template <typename Number>
__global__ void __launch_bounds__(kBlock) scan_kernel(const __grid_constant__ ScanTask task) {
  for (auto line = first_index(); line < task.outer * task.inner; line += index_stride()) {
    scan_line<Number>(task, line);
  }
}

void launch_scan(const ScanTask& task) {
  visit_scanned(task.dtype, [&](auto number) {
    launch(scan_kernel<decltype(number)>, {blocks_for(task.outer * task.inner)}, task);
  });
}

namespace detail {

template <typename Real>
__global__ void __launch_bounds__(kBlock)
    segment_sum_kernel(const Real* rows, Real* sums, const std::int64_t* order,
                       const std::int64_t* begin, std::int64_t segments, std::int64_t row) {
  using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;
  for (auto i = first_index(); i < segments * row; i += index_stride()) {
    const std::int64_t segment = i / row;
    const std::int64_t column = i - segment * row;
    Wide sum = 0;
    for (auto at = begin[segment]; at < begin[segment + 1]; ++at) {
      sum += static_cast<Wide>(rows[order[at] * row + column]);
    }
    sums[i] = static_cast<Real>(sum);
  }
}

template <typename Real>
void launch_of(const SegmentSum& work) {
  launch(segment_sum_kernel<Real>, {.grid = blocks_for(work.segments * work.row_elements)},
         static_cast<const Real*>(work.rows), static_cast<Real*>(work.sums), work.order, work.begin,
         work.segments, work.row_elements);
}

}  // namespace detail

void launch_segment_sum(Dtype dtype, const SegmentSum& work) {
  if (work.segments == 0 || work.row_elements == 0) return;
  switch (dtype) {
    case Dtype::kFloat16:
      return detail::launch_of<__half>(work);
    case Dtype::kBFloat16:
      return detail::launch_of<__nv_bfloat16>(work);
    case Dtype::kFloat32:
      return detail::launch_of<float>(work);
    case Dtype::kFloat64:
      return detail::launch_of<double>(work);
    default:
      throw Error(ErrorKind::kNotImplemented,
                  "sums of segments are not implemented for " + std::string(facts(dtype).name));
  }
}

}  // namespace assay::cuda
