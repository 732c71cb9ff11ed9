// The state of the stream pools: handles, counters, and the results of initialization.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/streams/id.hpp"

namespace assay::reference {

/// The number of CUDA devices that PyTorch builds support; 16 in 1.13 (STR-018).
inline constexpr int kMostDevices = 120;
inline constexpr int kMostLevels = 4;

/// The pools of one device.
struct DevicePools {
  std::mutex mutex;                  ///< held while the streams are created
  std::atomic<bool> is_made{false};  ///< afterwards `handles` is read-only
  std::array<std::array<StreamHandle, kStreamsPerPool>, kMostLevels> handles{};
  std::array<std::atomic<std::uint32_t>, kMostLevels> counters{};
};

class StreamPools {
 public:
  DevicePools& device(int index) { return devices_[static_cast<std::size_t>(index)]; }

  std::mutex init_mutex;
  std::atomic<bool> is_init{false};
  int levels = 0;  ///< valid once `is_init`
  PriorityRange range;

 private:
  std::array<DevicePools, kMostDevices> devices_;
};

StreamPools& stream_pools(Runtime& runtime);

/// Creates all streams of the device if they do not exist. On an error none of them exists, and the
/// next request tries again (STR-015, FLT-014).
void make_pool(Runtime& runtime, int device);

}  // namespace assay::reference
