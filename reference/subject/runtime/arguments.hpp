// Streams, events and guards in the arguments and results of the area runtime.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/python_stream.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// An event of either kind; `is_python` marks events with Python's interface.
struct AnyEvent {
  std::variant<Event, CudaEvent> event;
  bool is_python = false;
};

Stream stream_argument(Call& call, std::string_view name = "stream");
/// Returns empty for None and for an absent argument.
std::optional<Stream> stream_or_none(Call& call, std::string_view name = "stream");
/// The argument `mode`; `global` by default.
CaptureMode capture_mode_argument(Call& call);
/// Sets `result`, `device` and `id`.
void give_stream(Call& call, const Stream& stream, StreamClass of = StreamClass::kAny);
/// The class with which the stream was given.
StreamClass class_of(const Object& stream);
/// Returns a dict with `device` and `id`.
Value stream_value(Call& call, const Stream& stream);

std::shared_ptr<AnyEvent> event_argument(Call& call, std::string_view name = "event");
/// Requires a CUDA event; the other kind is `invalid`.
CudaEvent& cuda_event_argument(Call& call, std::string_view name = "event");
void give_event(Call& call, AnyEvent event);

DeviceType device_type_argument(Call& call, const std::string& text);
/// Returns `cuda` without an index if the argument is absent.
Device device_or_cuda(Call& call, std::string_view name = "device");

}  // namespace assay::reference
