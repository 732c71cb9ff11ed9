// Splits a list of tensors into kernel launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::reference {

inline constexpr std::int64_t kChunkElements = 65536;

/// The limits of one launch; builds with CUDA 13 or later use {770, 2240} (AMP-312).
struct LaunchLimits {
  std::int64_t most_tensors = 110;
  std::int64_t most_blocks = 320;
};

/// The elements that one block processes: `count` elements of `tensor`, starting at `first`.
struct Chunk {
  std::size_t tensor = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

using Launch = std::vector<Chunk>;

/// `counts` has the number of elements of each tensor. `drops_tail` reproduces a bug before 2.1: an
/// empty last tensor suppresses the pending launch (AMP-303).
std::vector<Launch> plan_launches(const std::vector<std::int64_t>& counts,
                                  const LaunchLimits& limits, bool drops_tail = false);

}  // namespace assay::reference
