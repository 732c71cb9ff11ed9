// Counters with which the last block of a launch detects that it is the last.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::cuda {

/// A device word that is 0 whenever no launch uses it.
struct BlockCounter {
  std::uint32_t* own = nullptr;  ///< counter of one captured launch; null: use `index`
  unsigned index = 0;            ///< of the stream's counter among the device's words
};

/// Returns the counter for the next launch on the current stream of the current device, which has
/// `counters` words. Launches of one stream run in order, so they share a counter. A captured
/// launch may run at any replay, so it has its own counter, owned by its graph. Empty if all
/// counters belong to other streams, for the per-thread default stream (a different stream in each
/// thread), and in a capture that no graph of this thread owns.
std::optional<BlockCounter> block_counter(unsigned counters);

}  // namespace assay::cuda
