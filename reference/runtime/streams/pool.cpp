// Creates the streams of the pools, and takes streams from them.
#include "reference/runtime/streams/pool.hpp"

#include <algorithm>
#include <vector>

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {
namespace {

int room_for_devices(Release release) { return release == Release::k1_13 ? 16 : kMostDevices; }

void check_device_count(Runtime& runtime) {
  const int room = room_for_devices(runtime.contract().release);
  const int count = cuda_device_count(runtime);
  check(count <= room, [&] {
    return "there are more CUDA devices, " + std::to_string(count) +
           ", than the compiled max number of gpus, " + std::to_string(room);
  });
}

void ask_priorities(Runtime& runtime, StreamPools& pools) {
  PriorityRange range;
  cuda_check(runtime, driver_of(runtime).priority_range(range));
  const int most = most_levels(runtime.contract().release);
  pools.range = range;
  pools.levels = std::clamp(range.least - range.greatest + 1, 1, most);  // STR-016
}

using Made = std::vector<StreamHandle>;

void create_all(Runtime& runtime, const StreamPools& pools, DevicePools& pool, Made& made) {
  Driver& driver = driver_of(runtime);
  for (std::size_t index = 0; index < kStreamsPerPool; ++index) {
    for (int level = 0; level < pools.levels; ++level) {
      StreamHandle& handle = pool.handles[static_cast<std::size_t>(level)][index];
      cuda_check(runtime, driver.stream_create(handle, /*non_blocking=*/true, -level));  // STR-025
      made.push_back(handle);
    }
  }
}

/// On the current device. [DEV] of FLT-014: in compat, a failure leaks the streams made so far.
void create_or_undo(Runtime& runtime, const StreamPools& pools, DevicePools& pool) {
  Made made;
  try {
    create_all(runtime, pools, pool, made);
  } catch (const Error&) {
    for (const StreamHandle stream : runtime.contract().strict() ? made : Made{}) {
      cuda_warn(runtime, driver_of(runtime).stream_destroy(stream));
    }
    throw;
  }
}

void make_on(Runtime& runtime, const StreamPools& pools, DevicePools& pool, int device) {
  const OnCudaDevice on(runtime, device);
  create_or_undo(runtime, pools, pool);
}

}  // namespace

StreamPools& stream_pools(Runtime& runtime) { return runtime.shared<StreamPools>(); }

void init_streams(Runtime& runtime) {
  StreamPools& pools = stream_pools(runtime);
  if (pools.is_init) return;
  const std::scoped_lock lock(pools.init_mutex);
  if (pools.is_init) return;
  check_device_count(runtime);
  ask_priorities(runtime, pools);
  pools.is_init = true;
}

int priority_levels(Runtime& runtime) {
  init_streams(runtime);
  return stream_pools(runtime).levels;
}

void make_pool(Runtime& runtime, int device) {
  init_streams(runtime);
  StreamPools& pools = stream_pools(runtime);
  DevicePools& pool = pools.device(device);
  if (pool.is_made) return;
  const std::scoped_lock lock(pool.mutex);
  if (pool.is_made) return;
  make_on(runtime, pools, pool, device);
  pool.is_made = true;
}

// Streams from the pools.

namespace {

/// STR-013: post-increments a counter that wraps around.
int next_index(StreamPools& pools, int device, int level) {
  auto& counter = pools.device(device).counters[static_cast<std::size_t>(level)];
  return static_cast<int>(counter++ % kStreamsPerPool);
}

int level_of(Runtime& runtime, int priority) {
  const int highest = priority_levels(runtime) - 1;
  if (runtime.contract().release == Release::k1_13) return priority != 0 ? highest : 0;
  const bool refuses = runtime.contract().release == Release::k2_4;  // STR-016
  check(priority <= 0 || !refuses, [&] {
    return "Expected cuda stream priority to be less than or equal to 0, got " +
           std::to_string(priority);
  });
  return -std::clamp(priority, -highest, 0);  // STR-016
}

Stream next_of(Runtime& runtime, int level, int device) {
  StreamPools& pools = stream_pools(runtime);
  const int index = next_index(pools, device, level);
  return {cuda_device(device), pool_stream_id(runtime.contract(), level, index)};
}

/// Resolves the device and creates its streams if necessary.
int device_with_pool(Runtime& runtime, int device) {
  init_streams(runtime);
  const int index = checked_cuda_index(runtime, device);
  make_pool(runtime, index);
  return index;
}

bool is_capturing(Runtime& runtime, const Stream& stream) {
  CaptureStatus status = CaptureStatus::kNone;
  cuda_check(runtime, driver_of(runtime).capture_status(handle_of(runtime, stream), status));
  return status != CaptureStatus::kNone;
}

}  // namespace

Stream stream_from_pool(Runtime& runtime, int priority, int device) {
  const int index = device_with_pool(runtime, device);
  return next_of(runtime, level_of(runtime, priority), index);
}

Stream stream_from_pool(Runtime& runtime, bool is_high, int device) {
  const int index = device_with_pool(runtime, device);
  return next_of(runtime, is_high ? priority_levels(runtime) - 1 : 0, index);  // STR-017
}

Stream non_capturing_stream_from_pool(Runtime& runtime, int priority, int device) {
  const int index = device_with_pool(runtime, device);
  const int level = level_of(runtime, priority);
  for (int i = 0; i < kStreamsPerPool; ++i) {
    const Stream stream = next_of(runtime, level, index);
    if (!is_capturing(runtime, stream)) return stream;
  }
  throw Error("Unable to obtain a non-capturing CUDA stream: all " +
              std::to_string(kStreamsPerPool) + " of the pool capture");
}

StreamHandle pool_handle(Runtime& runtime, int device, int level, int index) {
  make_pool(runtime, device);
  const auto& handles = stream_pools(runtime).device(device).handles;
  return handles[static_cast<std::size_t>(level)][static_cast<std::size_t>(index)];
}

void set_pool_counter(Runtime& runtime, int device, int level, std::uint32_t value) {
  const bool is_one = device >= 0 && device < kMostDevices && level >= 0 && level < kMostLevels;
  check(is_one, ErrorKind::kIndex, [&] {
    return "there is no pool of level " + std::to_string(level) + " on device " +
           std::to_string(device);
  });
  stream_pools(runtime).device(device).counters[static_cast<std::size_t>(level)] = value;
}

}  // namespace assay::reference
