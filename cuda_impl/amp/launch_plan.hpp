// Reproduces how PyTorch splits a list of tensors into launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::cuda {

/// AMP-312: the number of elements that one block of PyTorch's kernel processes.
inline constexpr std::int64_t kPlannedChunk = 65536;

struct LaunchLimits {
  std::int64_t most_tensors = 110;
  std::int64_t most_blocks = 320;
};

struct PlannedLaunch {
  std::int64_t blocks;
  /// The launch ends after this element of this tensor.
  std::size_t tensor;
  std::int64_t element;
};

/// `keeps_empty` (1.13): tensors without elements count, and an empty last tensor discards the
/// launch that is being filled (AMP-303).
std::vector<PlannedLaunch> plan_launches(std::span<const std::int64_t> counts,
                                         const LaunchLimits& limits, bool keeps_empty);

}  // namespace assay::cuda
