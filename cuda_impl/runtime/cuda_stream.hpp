// Streams of CUDA: where they come from, which one is current, and what is asked of them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/runtime/stream.hpp"
#include "cuda_impl/runtime/stream_id.hpp"
#include "cuda_impl/runtime/stream_pool.hpp"

namespace assay::cuda {

/// The index that an argument means, -1 for the current device; process state is looked at first
/// (FLT-015). Raises `error` (`internal` in 1.13) for one out of range (STR-018).
int checked_index(int index);

Stream default_stream(int device = -1);
/// Of the calling thread (STR-019, STR-020). `current_stream()` of core is its handle.
Stream current_cuda_stream(int device = -1);
/// For the calling thread; the current device stays, and the driver is not asked.
void set_current_stream(const Stream& stream);
/// A priority, or the highest and the lowest one.
Stream stream_from_pool(int priority, int device = -1);
Stream stream_from_pool_by_rank(bool is_high, int device = -1);
/// STR-028: none that captures. Raises `error` where all do.
Stream non_capturing_stream_from_pool(int priority, int device = -1);
/// STR-011: nothing is checked.
Stream external_stream(std::int64_t handle, Device device);
/// STR-008: raises `error` for a stream of another type, unless it is not to be checked.
Stream as_cuda_stream(const Stream& stream, bool is_checked);

struct RawStreamOptions {
  int device = -1;
  bool is_blocking = false;
  int priority = 0;
};
/// A stream of the driver's own, as an external one; whoever makes it destroys it.
Stream create_raw_stream(const RawStreamOptions& options);
void destroy_raw_stream(const Stream& stream);

/// STR-012: raises `error` for an id that stands for nothing.
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
/// What was captured is thrown away.
void end_capture(const Stream& stream);

}  // namespace assay::cuda
