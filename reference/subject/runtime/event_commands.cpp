// Area runtime: creating and querying events, recording, waiting for, moving and exporting them.
#include <set>

#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/python_stream.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

int flag_argument(Call& call) {
  const Value* value = call.arguments().optional("flag");
  if (value == nullptr) return EventFlag::kPytorchDefault;
  if (const auto* number = value->get_if<std::int64_t>()) return static_cast<int>(*number);
  const std::string name = call.arguments().text("flag");
  const auto found = event_flag_named(name, call.contract().release);
  if (!found) throw InvalidArgument("there is no event flag '" + name + "'");
  return *found;
}

AnyEvent generic_event(Call& call) {
  const DeviceType type = device_type_argument(call, call.arguments().text("device"));
  return {Event(call.runtime(), type, flag_argument(call))};
}

AnyEvent cuda_event(Call& call) {
  const auto flags = static_cast<unsigned>(call.arguments().integer("flag", 2));
  return {CudaEvent(call.runtime(), flags)};
}

bool external_argument(Call& call) {
  if (call.has("external") && call.contract().release < Release::k2_11) {
    throw NotSupported("this release has no external events");
  }
  return call.arguments().boolean("external", false);
}

AnyEvent python_event(Call& call) {
  PythonEventCall asked;
  asked.timing = call.arguments().boolean("timing", false);
  asked.blocking = call.arguments().boolean("blocking", false);
  asked.interprocess = call.arguments().boolean("interprocess", false);
  asked.external = external_argument(call);
  return {CudaEvent(call.runtime(), python_event_flags(asked)), true};
}

AnyEvent python_generic_event(Call& call) {
  const Release release = call.contract().release;
  if (release == Release::k1_13) throw NotSupported("1.13 has no torch.Event");
  const DeviceType type = device_type_argument(call, call.arguments().text("device"));
  const bool timing = call.arguments().boolean("timing", python_event_times(release));
  call.arguments().boolean("blocking", false);
  call.arguments().boolean("interprocess", false);
  const int flag = timing ? EventFlag::kBackendDefault : EventFlag::kPytorchDefault;
  return {Event(call.runtime(), type, flag), true};
}

void set_info(Call& call, const Event& event) {
  call.set("recorded", event.was_recorded());
  call.set("created", event.id() != 0);
  call.set("device", to_protocol(call.runtime(), event.device()));
  call.set("id", static_cast<std::int64_t>(event.id()));
  const auto name = name_of_event_flag(event.flag(), call.contract().release);
  call.set("flag", name ? Value(*name) : Value(event.flag()));
}

void set_info(Call& call, const CudaEvent& event) {
  call.set("recorded", event.was_recorded());
  call.set("created", event.is_created());
  const auto device = event.device();
  call.set("device", device ? Value(to_protocol(call.runtime(), *device)) : Value());
  call.set("id", static_cast<std::int64_t>(event.id()));
  call.set("flag", static_cast<std::int64_t>(event.flags()));
}

struct ByHandle {
  bool operator()(const CudaEvent* left, const CudaEvent* right) const { return *left < *right; }
};

}  // namespace

void runtime_event(Call& call) {
  const std::string api = call.arguments().text("api", "cuda");
  if (api == "generic") return give_event(call, generic_event(call));
  if (api == "cuda") return give_event(call, cuda_event(call));
  if (api != "python") throw InvalidArgument("there is no api '" + api + "' for events");
  give_event(call, call.has("device") ? python_generic_event(call) : python_event(call));
}

void runtime_event_info(Call& call) {
  const auto asked = event_argument(call);
  std::visit([&](const auto& event) { set_info(call, event); }, asked->event);
}

void runtime_elapsed(Call& call) {
  const auto from = event_argument(call, "from");
  if (const auto* event = std::get_if<CudaEvent>(&from->event)) {
    return call.result(Value(event->elapsed_ms(cuda_event_argument(call, "to"))));
  }
  const auto to = event_argument(call, "to");
  const auto* other = std::get_if<Event>(&to->event);
  if (other == nullptr) throw InvalidArgument("an event of CUDA and a generic one have no time");
  call.result(Value(std::get<Event>(from->event).elapsed_ms(*other)));
}

void runtime_distinct_events(Call& call) {
  std::set<const CudaEvent*, ByHandle> kept;
  std::vector<std::shared_ptr<AnyEvent>> events;
  for (const Value& item : call.arguments().items("events")) {
    const auto* ref = item.get_if<Ref>();
    const Object object = ref == nullptr ? Object{} : call.names().get(ref->name);
    if (!object.is<AnyEvent>()) throw InvalidArgument("events must be references to events");
    events.push_back(object.as<AnyEvent>());
    const auto* event = std::get_if<CudaEvent>(&events.back()->event);
    if (event == nullptr) throw NotSupported("generic events have no order");
    kept.insert(event);
  }
  call.result(Value(static_cast<std::int64_t>(kept.size())));
}

// Recording, waiting for, moving and exporting.

namespace {

/// The current stream by default (EVT-008).
Stream stream_for_event(Call& call, const AnyEvent& event) {
  if (const auto stream = stream_or_none(call)) return *stream;
  const auto* generic = std::get_if<Event>(&event.event);
  return reference::stream_for_event(
      call.runtime(), generic == nullptr ? DeviceType::kCuda : generic->device().type);
}

void block(Call& call) {
  const auto asked = event_argument(call);
  const Stream stream = stream_for_event(call, *asked);
  std::visit([&](const auto& event) { event.block(stream); }, asked->event);
}

}  // namespace

void runtime_record(Call& call) {
  const auto asked = event_argument(call);
  const Stream stream = stream_for_event(call, *asked);
  std::visit([&](auto& event) { event.record(stream); }, asked->event);
}

void runtime_record_once(Call& call) {
  const auto asked = event_argument(call);
  const Stream stream = stream_for_event(call, *asked);
  std::visit([&](auto& event) { event.record_once(stream); }, asked->event);
}

void runtime_move_event(Call& call) {
  const auto from = event_argument(call);
  give_event(call, AnyEvent{std::move(from->event), from->is_python});
}

void runtime_assign_event(Call& call) {
  const auto to = event_argument(call, "to");
  const auto from = event_argument(call, "from");
  if (to->event.index() != from->event.index()) {
    throw InvalidArgument("an event of CUDA and a generic one cannot be assigned");
  }
  if (auto* generic = std::get_if<Event>(&to->event)) {
    *generic = std::get<Event>(std::move(from->event));
  } else {
    std::get<CudaEvent>(to->event) = std::get<CudaEvent>(std::move(from->event));
  }
}

void runtime_ipc_handle(Call& call) {
  const auto asked = event_argument(call);
  if (auto* event = std::get_if<CudaEvent>(&asked->event)) {
    return call.result(Value(to_digits(event->ipc_handle())));
  }
  throw Error(ErrorKind::kNotImplemented, "torch.Event has no handle for other processes");
}

void runtime_event_from_ipc(Call& call) {
  const Device device = call.device("device");
  const auto bytes = from_digits(call.arguments().text("handle"));
  if (!bytes) throw InvalidArgument("handle must be bytes in hexadecimal");
  give_event(call, {event_from_ipc(call.runtime(), device, *bytes), true});
}

void runtime_block(Call& call) { block(call); }
void runtime_wait(Call& call) { block(call); }

}  // namespace assay::reference
