// Where the blocks of a launch count how many of them are done.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::cuda {

/// A word that is 0 while no launch uses it.
struct BlockCounter {
  std::uint32_t* own = nullptr;  ///< of one captured launch; null for a stream's
  unsigned index = 0;            ///< of the stream's among its device's words
};

/// For the next launch in the current stream of the current device, which has `counters` words.
/// Launches of one stream come one after the other, and share a word. A captured launch runs
/// whenever a replay does: it has a word of its own, which its graph keeps.
/// Nothing for a stream that finds all words taken, for the default stream of a thread, which is
/// another one in every thread, and in a capture of which the thread has no graph.
std::optional<BlockCounter> block_counter(unsigned counters);

}  // namespace assay::cuda
