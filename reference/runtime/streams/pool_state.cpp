// Creates the streams of the pools.
#include "reference/runtime/streams/pool_state.hpp"

#include <algorithm>
#include <vector>

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/streams/pool.hpp"

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

}  // namespace assay::reference
