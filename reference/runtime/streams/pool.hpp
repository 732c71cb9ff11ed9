// The pools of CUDA streams: 32 of each priority on each device, made at the first request.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// What every getter of a stream asks first: the devices and the range of priorities. Raises what
/// they raise; the next getter asks again (FLT-015).
void init_streams(Runtime& runtime);

/// From 0, the lowest, to one less than this; raises as `init_streams` (STR-016).
int priority_levels(Runtime& runtime);

/// By a priority, as ints mean it: 0 and above is the lowest. In 1.13 any number but 0 is high
/// (STR-017). `device` -1 is the current one.
Stream stream_from_pool(Runtime& runtime, int priority, int device);
/// The highest level, or the lowest.
Stream stream_from_pool(Runtime& runtime, bool is_high, int device);
/// The first of the next 32 that no capture is going on in; raises `error` if there is none
/// (STR-028).
Stream non_capturing_stream_from_pool(Runtime& runtime, int priority, int device);

/// The pool of the device is there already when an id names one of its streams, or it is made.
StreamHandle pool_handle(Runtime& runtime, int device, int level, int index);

/// What the next request of that pool counts from (STR-013).
void set_pool_counter(Runtime& runtime, int device, int level, std::uint32_t value);

}  // namespace assay::reference
