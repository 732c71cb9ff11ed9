// How a list of tensors is cut into kernel launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::reference {

inline constexpr std::int64_t kChunkElements = 65536;

/// What one launch can carry; builds with CUDA 13 or newer use {770, 2240} (AMP-312).
struct LaunchLimits {
  std::int64_t most_tensors = 110;
  std::int64_t most_blocks = 320;
};

/// One block's work: `count` elements of tensor `tensor`, from element `first` on.
struct Chunk {
  std::size_t tensor = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

using Launch = std::vector<Chunk>;

/// `counts` holds each tensor's elements. `drops_tail` is how releases before 2.1 went wrong: an
/// empty last tensor suppresses the launch that is pending (AMP-303).
std::vector<Launch> plan_launches(const std::vector<std::int64_t>& counts,
                                  const LaunchLimits& limits, bool drops_tail = false);

}  // namespace assay::reference
