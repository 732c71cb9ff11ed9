// Pools of CUDA streams: 32 for each priority and device, created at the first request.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

// The state of the pools: handles, counters, and the results of initialization.

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

/// Called by all stream getters: queries the device count and the priority range, and raises their
/// errors. The next getter tries again (FLT-015).
void init_streams(Runtime& runtime);

/// Levels are numbered from 0, the lowest. Raises like `init_streams` (STR-016).
int priority_levels(Runtime& runtime);

/// Takes an int priority: 0 and above is the lowest. In 1.13 every non-zero number means high
/// (STR-017). `device` -1 is the current one.
Stream stream_from_pool(Runtime& runtime, int priority, int device);
/// Takes the highest or the lowest level.
Stream stream_from_pool(Runtime& runtime, bool is_high, int device);
/// Returns the first of the next 32 streams that is not capturing; raises `error` if all are
/// (STR-028).
Stream non_capturing_stream_from_pool(Runtime& runtime, int priority, int device);

/// Creates the device's pool if an id refers to it before its first request.
StreamHandle pool_handle(Runtime& runtime, int device, int level, int index);

/// Sets the counter for the next request from that pool (STR-013).
void set_pool_counter(Runtime& runtime, int device, int level, std::uint32_t value);

}  // namespace assay::reference
