// How PyTorch cuts a list of tensors into launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::cuda {

/// AMP-312: elements that one block of PyTorch's launches takes.
inline constexpr std::int64_t kPlannedChunk = 65536;

struct LaunchLimits {
  std::int64_t most_tensors = 110;
  std::int64_t most_blocks = 320;
};

struct PlannedLaunch {
  std::int64_t blocks;
  /// Where it ends: in this tensor, behind that element.
  std::size_t tensor;
  std::int64_t element;
};

/// `keeps_empty`, as 1.13 does: tensors without elements take places, and a last one without loses
/// the launch that is being filled (AMP-303).
std::vector<PlannedLaunch> plan_launches(std::span<const std::int64_t> counts,
                                         const LaunchLimits& limits, bool keeps_empty);

}  // namespace assay::cuda
