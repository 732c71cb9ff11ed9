// What the host knows of a multi-tensor launch: its rows, the size of its parameters, and the
// counter of its blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace assay::cuda {

/// One tensor from each of `kLists` parallel lists, all with `count` elements. A list may also hold
/// a scalar for the row; the kernel knows which lists are not split into chunks.
template <int kLists>
struct TensorRow {
  void* data[std::size_t{kLists}];
  std::int64_t count;
};

/// The limit on every device, and the one on compute capability 7.0 or newer with a driver for CUDA
/// 12.1 or newer.
inline constexpr std::size_t kSmallParameters = 4096;
inline constexpr std::size_t kLargeParameters = 32764;

/// Returns one of the two for the current device; kSmallParameters if the environment variable
/// ASSAY_CUDA_PARAMETER_BYTES is 4096.
std::size_t parameter_bytes();

/// For tests: overrides the limit; nullopt restores the device's own.
void pretend_parameter_bytes(std::optional<std::size_t> bytes);

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
