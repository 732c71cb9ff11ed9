// Area runtime: events.
#include <set>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"
#include "cuda_impl/runtime/event.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

int flag_argument(Call& call) {
  if (!call.has("flag")) return kPytorchDefault;
  if (const auto* number = call.arguments().value("flag").get_if<std::int64_t>()) {
    return static_cast<int>(*number);
  }
  const std::string name = call.arguments().text("flag");
  const auto flag = event_flag_named(name, call.release());
  if (!flag) throw InvalidArgument("this release has no event flag '" + name + "'");
  return *flag;
}

// Constructed in place, because a move may lose state (EVT-023, EVT-024).
using MadeEvent = std::shared_ptr<AnyEvent>;

MadeEvent generic(DeviceKind type, int flag) {
  return std::make_shared<AnyEvent>(std::in_place_type<Event>, type, flag);
}

MadeEvent of_cuda(unsigned flags) {
  return std::make_shared<AnyEvent>(std::in_place_type<CudaEvent>, flags);
}

MadeEvent generic_event(Call& call) {
  return generic(kind_argument(call, "device"), flag_argument(call));
}

MadeEvent cuda_event(Call& call) {
  return of_cuda(static_cast<unsigned>(call.arguments().integer("flag", cudaEventDisableTiming)));
}

/// EVT-027
MadeEvent python_event(Call& call) {
  Arguments& with = call.arguments();
  if (call.has("external") && call.release() < Release::k2_11) {
    throw NotSupported("this release has no external events");
  }
  unsigned flags = with.boolean("timing", false) ? cudaEventDefault : cudaEventDisableTiming;
  if (with.boolean("blocking", false)) flags |= cudaEventBlockingSync;
  if (with.boolean("interprocess", false)) flags |= cudaEventInterprocess;
  if (with.boolean("external", false)) flags |= kExternalEvent;
  return of_cuda(flags);
}

/// `torch.Event`. It ignores all arguments but timing.
MadeEvent python_generic_event(Call& call) {
  if (call.release() == Release::k1_13) throw NotSupported("1.13 has no torch.Event");
  const bool times = call.arguments().boolean("timing", call.release() == Release::k2_4);
  static_cast<void>(call.arguments().boolean("blocking", false));
  static_cast<void>(call.arguments().boolean("interprocess", false));
  return generic(kind_argument(call, "device"), times ? kBackendDefault : kPytorchDefault);
}

/// Defaults to the current stream of the event's device type (EVT-008).
Stream stream_for(Call& call, const AnyEvent& event) {
  if (const auto given = stream_or_none(call)) return *given;
  const auto* const generic = std::get_if<Event>(&event);
  const DeviceKind type = generic == nullptr ? DeviceKind::kCuda : generic->device().kind;
  return backend_of(type).get_stream({type, -1});
}

void block(Call& call) {
  const auto event = event_argument(call);
  const Stream stream = stream_for(call, *event);
  std::visit([&](const auto& waited) { waited.block(stream); }, *event);
}

void show(Call& call, const Event& event) {
  call.set("device", to_waist(event.device(), call.release()));
  call.set("id", std::int64_t{reinterpret_cast<std::intptr_t>(event.id())});
  call.set("created", event.id() != nullptr);
  const auto name = name_of_event_flag(event.flag(), call.release());
  call.set("flag", name ? Value(std::string(*name)) : Value(event.flag()));
}

void show(Call& call, const CudaEvent& event) {
  const auto device = event.device();
  call.set("device", device ? Value(to_waist(*device, call.release())) : Value());
  call.set("id", std::int64_t{reinterpret_cast<std::intptr_t>(event.id())});
  call.set("created", event.is_created());
  call.set("flag", std::int64_t{event.flags()});
}

}  // namespace

void runtime_event(Call& call) {
  const std::string api = call.arguments().text("api", "cuda");
  if (api == "generic") return give_event(call, generic_event(call));
  if (api == "cuda") return give_event(call, cuda_event(call));
  if (api != "python") throw InvalidArgument("runtime.event: there is no api '" + api + "'");
  give_event(call, call.has("device") ? python_generic_event(call) : python_event(call));
}

void runtime_record(Call& call) {
  const auto event = event_argument(call);
  const Stream stream = stream_for(call, *event);
  std::visit([&](auto& recorded) { recorded.record(stream); }, *event);
}

void runtime_record_once(Call& call) {
  const auto event = event_argument(call);
  const Stream stream = stream_for(call, *event);
  std::visit([&](auto& recorded) { recorded.record_once(stream); }, *event);
}

void runtime_event_info(Call& call) {
  const auto event = event_argument(call);
  std::visit(
      [&](const auto& asked) {
        call.set("recorded", asked.was_recorded());
        show(call, asked);
      },
      *event);
}

void runtime_elapsed(Call& call) {
  const auto from = event_argument(call, "from");
  const auto to = event_argument(call, "to");
  if (from->index() != to->index()) {
    throw InvalidArgument("there is no time between events of two sorts");
  }
  if (const auto* const event = std::get_if<CudaEvent>(from.get())) {
    return call.result(Value(double{event->elapsed_ms(std::get<CudaEvent>(*to))}));
  }
  call.result(Value(std::get<Event>(*from).elapsed_ms(std::get<Event>(*to))));
}

void runtime_move_event(Call& call) {
  give_event(call, std::make_shared<AnyEvent>(std::move(*event_argument(call))));
}

void runtime_assign_event(Call& call) {
  const auto to = event_argument(call, "to");
  const auto from = event_argument(call, "from");
  if (to->index() != from->index()) {
    throw InvalidArgument("an event is assigned to one of the same sort");
  }
  if (auto* const event = std::get_if<CudaEvent>(to.get())) {
    *event = std::move(std::get<CudaEvent>(*from));
  } else {
    std::get<Event>(*to) = std::move(std::get<Event>(*from));
  }
}

/// EVT-026
void runtime_distinct_events(Call& call) {
  const auto is_less = [](const CudaEvent* a, const CudaEvent* b) { return *a < *b; };
  std::set<const CudaEvent*, decltype(is_less)> kept(is_less);
  std::vector<std::shared_ptr<AnyEvent>> alive;
  for (const Value& item : call.arguments().items("events")) {
    const auto* const ref = item.get_if<Ref>();
    const auto event = ref == nullptr ? nullptr : call.names().get(ref->name).as<AnyEvent>();
    if (event == nullptr) throw InvalidArgument("a list of references to events was expected");
    const auto* const of_cuda = std::get_if<CudaEvent>(event.get());
    if (of_cuda == nullptr) throw NotSupported("generic events have no order");
    alive.push_back(event);
    kept.insert(of_cuda);
  }
  call.result(Value(static_cast<std::int64_t>(kept.size())));
}

void runtime_block(Call& call) { block(call); }
void runtime_wait(Call& call) { block(call); }

}  // namespace assay::cuda
