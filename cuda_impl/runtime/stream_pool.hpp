// The pools that streams come from: 32 a level of priority and device (STR-013 to STR-018).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/runtime/stream.hpp"
#include "cuda_impl/runtime/stream_id.hpp"

namespace assay::cuda {

/// What the driver permits, cut to the levels that a pool has.
struct PriorityRange {
  int least = 0;
  int greatest = 0;
};
/// STR-016. Raises `internal` where the driver's range has no 0, or nothing above it.
PriorityRange priority_range();

/// How many levels a pool has here. The driver is asked until it has answered once; whoever wants
/// a stream asks this first (FLT-015).
int pool_levels();
/// The level that a priority means (STR-016), and in 1.13 a bool (STR-017). Raises `error` for one
/// that the release refuses.
int level_for(int priority);

/// The next one of a level of a device, which is there. Any thread may ask at any time; the first
/// request makes all streams of the device.
Stream next_of_pool(int device, int level);
/// Makes the device's pool where it is missing.
cudaStream_t handle_in_pool(int device, PoolPlace place);
/// The id of the stream with that handle: of a pool, or an external one's (STR-011).
std::int64_t id_of_handle(int device, cudaStream_t handle);
void set_pool_counter(int device, int level, std::uint32_t value);
/// Destroys all streams, while no thread uses any, and counts from the beginning.
void forget_pools();

}  // namespace assay::cuda
