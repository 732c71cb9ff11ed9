// Operations on CUDA streams.
#pragma once

#include <utility>

#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// Raises for an invalid id (STR-012).
StreamPlace place_of(Runtime& runtime, const Stream& stream);

/// -1 selects the current device.
Stream default_stream(Runtime& runtime, int index = -1);
/// The id is the handle; no checks are made (STR-011).
Stream external_stream(StreamHandle handle, Device device);
/// STR-008: raises `error` for another device type; unchecked, changes the type to CUDA.
Stream cuda_stream(const Stream& stream, bool is_checked);

bool query_stream(Runtime& runtime, const Stream& stream);
void synchronize_stream(Runtime& runtime, const Stream& stream);
int priority_of(Runtime& runtime, const Stream& stream);
/// The lowest and highest priority of the pools (STR-016).
std::pair<int, int> pool_priority_range(Runtime& runtime);

/// Creates a driver stream outside of the pools; -1 selects the current device.
Stream create_raw_stream(Runtime& runtime, int device, bool is_blocking, int priority);
void destroy_raw_stream(Runtime& runtime, const Stream& stream);

/// The default stream cannot capture: raises `error` (STR-028).
void begin_capture(Runtime& runtime, const Stream& stream, CaptureMode mode);
void end_capture(Runtime& runtime, const Stream& stream);
CaptureStatus capture_status(Runtime& runtime, const Stream& stream);
/// Returns whether the calling thread's current stream on CUDA device `index` is capturing; -1
/// selects the current device. Not a driver call. False without devices.
bool is_capturing(Runtime& runtime, int index = -1);

}  // namespace assay::reference
