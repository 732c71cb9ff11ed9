// What can be done with a stream of CUDA.
#pragma once

#include <utility>

#include "reference/runtime/streams/id.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// Raises for an id that is none (STR-012).
StreamPlace place_of(Runtime& runtime, const Stream& stream);

/// -1 is the current device.
Stream default_stream(Runtime& runtime, int index = -1);
/// The id is the handle; nothing is looked at (STR-011).
Stream external_stream(StreamHandle handle, Device device);
/// STR-008: raises `error` for another device type unless unchecked, and then says CUDA.
Stream cuda_stream(const Stream& stream, bool is_checked);

bool query_stream(Runtime& runtime, const Stream& stream);
void synchronize_stream(Runtime& runtime, const Stream& stream);
int priority_of(Runtime& runtime, const Stream& stream);
/// Least and greatest that pools have (STR-016).
std::pair<int, int> pool_priority_range(Runtime& runtime);

/// A stream of the driver's that no pool has, -1 for the current device.
Stream create_raw_stream(Runtime& runtime, int device, bool is_blocking, int priority);
void destroy_raw_stream(Runtime& runtime, const Stream& stream);

/// Raises `error` on the default stream (STR-028).
void begin_capture(Runtime& runtime, const Stream& stream, CaptureMode mode);
void end_capture(Runtime& runtime, const Stream& stream);
CaptureStatus capture_status(Runtime& runtime, const Stream& stream);
/// Does the calling thread's current stream capture, on CUDA device `index`, -1 for the current
/// one? Not a call of the driver's. False where there are no devices.
bool is_capturing(Runtime& runtime, int index = -1);

}  // namespace assay::reference
