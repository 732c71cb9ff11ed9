// Streams, events and devices as arguments and results of the area runtime.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "cuda_impl/runtime/cuda_event.hpp"
#include "cuda_impl/runtime/event.hpp"
#include "cuda_impl/runtime/python.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// Either kind of event.
using AnyEvent = std::variant<Event, CudaEvent>;

/// Defaults to `cuda` without an index.
Device device_or_cuda(Call& call);
DeviceKind kind_argument(Call& call, std::string_view name);

Stream stream_argument(Call& call, std::string_view name = "stream");
/// Empty if the argument is None or absent.
std::optional<Stream> stream_or_none(Call& call);
/// Defaults to the current stream of the current device.
Stream stream_or_current(Call& call);
std::vector<Stream> streams_argument(Call& call, std::string_view name);
/// Sets the fields `result`, `device` and `id`.
void give_stream(Call& call, const Stream& stream, StreamMaker maker = StreamMaker::kCpp);
/// As it was given; empty if the argument is no stream.
std::optional<MadeStream> made_stream(Call& call, std::string_view name);
Value value_of(const Stream& stream);

std::shared_ptr<AnyEvent> event_argument(Call& call, std::string_view name = "event");
void give_event(Call& call, std::shared_ptr<AnyEvent> event);

int int_argument(Call& call, std::string_view name, int fallback);

}  // namespace assay::cuda
