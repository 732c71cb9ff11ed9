// CUDA streams: creation, the current stream, and operations.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/runtime/stream.hpp"
#include "cuda_impl/runtime/stream_id.hpp"
#include "cuda_impl/runtime/stream_pool.hpp"

namespace assay::cuda {

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
