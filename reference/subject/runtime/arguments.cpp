// Streams, events and guards among the arguments and results of the area runtime.
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

constexpr std::string_view kTorchStream = "torch.Stream";
constexpr std::string_view kTorchCudaStream = "torch.cuda.Stream";

}  // namespace

Stream stream_argument(Call& call, std::string_view name) {
  return *call.held<Stream>(name, "stream");
}

std::optional<Stream> stream_or_none(Call& call, std::string_view name) {
  const Value* value = call.arguments().optional(name);
  if (value == nullptr || value->is_none()) return std::nullopt;
  return stream_argument(call, name);
}

CaptureMode capture_mode_argument(Call& call) {
  const std::string mode = call.arguments().text("mode", "global");
  if (mode == "global") return CaptureMode::kGlobal;
  if (mode == "thread_local") return CaptureMode::kThreadLocal;
  if (mode == "relaxed") return CaptureMode::kRelaxed;
  throw InvalidArgument("mode must be global, thread_local or relaxed, not '" + mode + "'");
}

StreamClass class_of(const Object& stream) {
  if (stream.kind() == kTorchStream) return StreamClass::kTorch;
  return stream.kind() == kTorchCudaStream ? StreamClass::kTorchCuda : StreamClass::kAny;
}

void give_stream(Call& call, const Stream& stream, StreamClass of) {
  const std::string_view kind = of == StreamClass::kTorch       ? kTorchStream
                                : of == StreamClass::kTorchCuda ? kTorchCudaStream
                                                                : "stream";
  call.result(Object(std::make_shared<Stream>(stream), kind));
  call.set("device", to_protocol(call.runtime(), stream.device));
  call.set("id", stream.id);
}

Value stream_value(Call& call, const Stream& stream) {
  assay::Dict dict;
  dict.items.emplace_back("device", to_protocol(call.runtime(), stream.device));
  dict.items.emplace_back("id", stream.id);
  return dict;
}

std::shared_ptr<AnyEvent> event_argument(Call& call, std::string_view name) {
  return call.held<AnyEvent>(name, "event");
}

CudaEvent& cuda_event_argument(Call& call, std::string_view name) {
  auto* event = std::get_if<CudaEvent>(&event_argument(call, name)->event);
  if (event == nullptr) throw InvalidArgument("an event of CUDA was expected, not a generic one");
  return *event;
}

void give_event(Call& call, AnyEvent event) {
  call.result(Object(std::make_shared<AnyEvent>(std::move(event)), "event"));
}

DeviceType device_type_argument(Call& call, const std::string& text) {
  const auto found = device_type_named(text, call.contract().release);
  if (!found) throw InvalidArgument("there is no device type '" + text + "' in this release");
  return *found;
}

Device device_or_cuda(Call& call, std::string_view name) {
  return call.device_or_none(name).value_or(cuda_device(-1));
}

}  // namespace assay::reference
