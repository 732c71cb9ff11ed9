// What is kept of the pools: handles, counters, and what init found.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/streams/id.hpp"

namespace assay::reference {

/// CUDA devices that a build of PyTorch has room for; 1.13's is 16 (STR-018).
inline constexpr int kMostDevices = 120;
inline constexpr int kMostLevels = 4;

/// Of one device.
struct DevicePools {
  std::mutex mutex;                  ///< held while the streams are made
  std::atomic<bool> is_made{false};  ///< from then on `handles` is only read
  std::array<std::array<StreamHandle, kStreamsPerPool>, kMostLevels> handles{};
  std::array<std::atomic<std::uint32_t>, kMostLevels> counters{};
};

class StreamPools {
 public:
  DevicePools& device(int index) { return devices_[static_cast<std::size_t>(index)]; }

  std::mutex init_mutex;
  std::atomic<bool> is_init{false};
  int levels = 0;  ///< once `is_init`
  PriorityRange range;

 private:
  std::array<DevicePools, kMostDevices> devices_;
};

StreamPools& stream_pools(Runtime& runtime);

/// Makes all streams of the device, unless they are there. Raises what creation raised; then none
/// is there, and the next request begins anew (STR-015, FLT-014).
void make_pool(Runtime& runtime, int device);

}  // namespace assay::reference
