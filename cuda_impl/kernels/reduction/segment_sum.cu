// Segment sums: each thread computes one result element and reads its segment in order.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <string>
#include <type_traits>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/reduction/segment_sum.cuh"

namespace assay::cuda {
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
