// Rows of a matrix added up, segment by segment, in an order that is given.
#pragma once

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// All addresses are of the current device. Segment `s` has the rows `order[begin[s]]` to
/// `order[begin[s + 1] - 1]`, and becomes row `s` of the result.
struct SegmentSum {
  const void* rows = nullptr;
  void* sums = nullptr;
  const std::int64_t* order = nullptr;
  const std::int64_t* begin = nullptr;
  std::int64_t segments = 0;
  std::int64_t row_elements = 0;
};
/// Of float32, float64 and the half types, which are added in float32 and rounded once. Raises
/// `not_implemented` for others.
void launch_segment_sum(Dtype dtype, const SegmentSum& work);

}  // namespace assay::cuda
