// CUDA streams: creation, pools of 32 streams for each device and priority level (STR-013 to
// STR-018), the current stream, and operations.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/runtime/stream.hpp"

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

/// Resolves a device index; -1 is the current device. Checks the process state first (FLT-015).
/// Raises `error` (`internal` in 1.13) for an index out of range (STR-018).
int checked_index(int index);

Stream default_stream(int device = -1);
/// Of the calling thread (STR-019, STR-020). Its handle is `current_stream()` of core.
Stream current_cuda_stream(int device = -1);
/// For the calling thread. Does not change the current device or call the driver.
void set_current_stream(const Stream& stream);
/// The second form takes the highest or lowest priority instead of a number.
Stream stream_from_pool(int priority, int device = -1);
Stream stream_from_pool_by_rank(bool is_high, int device = -1);
/// STR-028: skips capturing streams. Raises `error` if all are capturing.
Stream non_capturing_stream_from_pool(int priority, int device = -1);
/// STR-011: without any check.
Stream external_stream(std::int64_t handle, Device device);
/// STR-008: raises `error` for a stream of another device type, if `is_checked`.
Stream as_cuda_stream(const Stream& stream, bool is_checked);

struct RawStreamOptions {
  int device = -1;
  bool is_blocking = false;
  int priority = 0;
};
/// Creates a stream outside the pools, represented as an external one. The caller must destroy it.
Stream create_raw_stream(const RawStreamOptions& options);
void destroy_raw_stream(const Stream& stream);

/// STR-012: raises `error` for an invalid id.
StreamPlace place_of(const Stream& stream);
cudaStream_t handle_of(const Stream& stream);

int priority_of(const Stream& stream);
bool is_done(const Stream& stream);
/// Waits for this stream only.
void synchronize(const Stream& stream);

enum class CaptureStatus : std::uint8_t { kNone, kActive, kInvalidated };
CaptureStatus capture_status(const Stream& stream);
/// Raises `error` for the default stream (STR-028).
void begin_capture(const Stream& stream, cudaStreamCaptureMode mode);
/// Ends the capture and discards the graph.
void end_capture(const Stream& stream);

}  // namespace assay::cuda
