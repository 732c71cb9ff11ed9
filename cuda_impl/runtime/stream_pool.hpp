// Stream pools: 32 streams for each device and priority level (STR-013 to STR-018).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/runtime/stream.hpp"
#include "cuda_impl/runtime/stream_id.hpp"

namespace assay::cuda {

/// The driver's priority range, limited to the levels that a pool has.
struct PriorityRange {
  int least = 0;
  int greatest = 0;
};
/// STR-016. Raises `internal` if the driver's range lacks 0 or has nothing above it.
PriorityRange priority_range();

/// Returns the number of priority levels. Queries the driver until it succeeds once; requests for
/// streams call this first (FLT-015).
int pool_levels();
/// Maps a priority (STR-016), or in 1.13 a bool (STR-017), to a level. Raises `error` if the
/// release rejects it.
int level_for(int priority);

/// Returns the next stream of a device and level, in rotation. Thread-safe. The first request
/// creates all streams of the device.
Stream next_of_pool(int device, int level);
/// Creates the device's pool if necessary.
cudaStream_t handle_in_pool(int device, PoolPlace place);
/// Returns the id of a stream by its handle: a pool stream's or an external one's (STR-011).
std::int64_t id_of_handle(int device, cudaStream_t handle);
void set_pool_counter(int device, int level, std::uint32_t value);
/// Destroys all streams and resets the counters. No thread may use any of the streams.
void forget_pools();

}  // namespace assay::cuda
