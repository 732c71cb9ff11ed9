// Sums of segments of a matrix's rows, added in a given order.
#pragma once

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// All pointers are on the current device. Segment `s` consists of the rows `order[begin[s]]` to
/// `order[begin[s + 1] - 1]`; their sum is row `s` of the result.
struct SegmentSum {
  const void* rows = nullptr;
  void* sums = nullptr;
  const std::int64_t* order = nullptr;
  const std::int64_t* begin = nullptr;
  std::int64_t segments = 0;
  std::int64_t row_elements = 0;
};
/// Supports float32, float64 and the half types, which are summed in float32 and rounded once.
/// Raises `not_implemented` for other types.
void launch_segment_sum(Dtype dtype, const SegmentSum& work);

}  // namespace assay::cuda
