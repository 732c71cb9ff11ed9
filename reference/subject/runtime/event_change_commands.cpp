// Area runtime: recording, waiting
// for, moving and exporting events.
#include "reference/runtime/events/ipc.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
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
