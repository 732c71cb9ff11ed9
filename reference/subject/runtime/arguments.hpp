// Streams, events and guards among the arguments and results of the area runtime.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// Either sort of event; `is_python` for those that Python has made.
struct AnyEvent {
  std::variant<Event, CudaEvent> event;
  bool is_python = false;
};

Stream stream_argument(Call& call, std::string_view name = "stream");
/// None and an absent argument are nothing.
std::optional<Stream> stream_or_none(Call& call, std::string_view name = "stream");
/// The argument `mode`, `global` where it is absent.
CaptureMode capture_mode_argument(Call& call);
/// `result`, `device` and `id`
void give_stream(Call& call, const Stream& stream);
/// A dict of `device` and `id`.
Value stream_value(Call& call, const Stream& stream);

std::shared_ptr<AnyEvent> event_argument(Call& call, std::string_view name = "event");
/// CUDA's: the other sort is `invalid`.
CudaEvent& cuda_event_argument(Call& call, std::string_view name = "event");
void give_event(Call& call, AnyEvent event);

DeviceType device_type_argument(Call& call, const std::string& text);
/// `cuda` without an index when absent.
Device device_or_cuda(Call& call, std::string_view name = "device");

}  // namespace assay::reference
