// Area runtime: generic events.
#include <array>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/release.hpp"
#include "harness/adapters/libtorch/runtime/arguments.hpp"
#include "harness/adapters/libtorch/runtime/event.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

// 1.13 does not expose an event's handle. An explicit instantiation may name private members.
using InlineEvent = c10::impl::InlineEvent<c10::impl::VirtualGuardImpl>;

template <typename Tag, typename Tag::Pointer kMember>
struct Reach {
  friend typename Tag::Pointer member_of(Tag) { return kMember; }
};
struct ImplOfEvent {
  using Pointer = InlineEvent c10::Event::*;
  friend Pointer member_of(ImplOfEvent);
};
struct HandleOfImpl {
  using Pointer = void* InlineEvent::*;
  friend Pointer member_of(HandleOfImpl);
};
template struct Reach<ImplOfEvent, &c10::Event::impl_>;
template struct Reach<HandleOfImpl, &InlineEvent::event_>;

void* handle_of(const c10::Event& event) {
  return (event.*member_of(ImplOfEvent())).*member_of(HandleOfImpl());
}

constexpr std::array<std::pair<std::string_view, c10::EventFlag>, 3> kFlags{{
    {"pytorch_default", c10::EventFlag::PYTORCH_DEFAULT},
    {"backend_default", c10::EventFlag::BACKEND_DEFAULT},
    {"invalid", c10::EventFlag::INVALID},
}};

c10::EventFlag flag_argument(Call& call) {
  const Value* value = call.arguments().optional("flag");
  if (value == nullptr) return c10::EventFlag::PYTORCH_DEFAULT;
  if (const auto* number = value->get_if<std::int64_t>()) {
    return static_cast<c10::EventFlag>(*number);
  }
  const std::string text = call.arguments().text("flag");
  for (const auto& [name, flag] : kFlags) {
    if (name == text) return flag;
  }
  throw NotSupported("no event flag '" + text + "'");
}

void give_event(Call& call, NamedEvent&& event) {
  call.result(Object(std::make_shared<NamedEvent>(std::move(event)), "event"));
}

c10::Stream stream_or_current(Call& call, const NamedEvent& event) {
  if (call.has("stream")) return stream_argument(call);
  const auto* backend = backend_of(event.event.device_type());
  return backend->getStream(backend->getDevice());
}

Value flag_value(c10::EventFlag flag) {
  for (const auto& [name, known] : kFlags) {
    if (known == flag) return name;
  }
  return static_cast<std::int64_t>(flag);
}

}  // namespace

void runtime_event(Call& call) {
  if (call.arguments().text("api", "cuda") != "generic") {
    throw NotSupported("this PyTorch has no CUDA: it has generic events only");
  }
  const c10::DeviceType type = device_type_named(call.arguments().text("device"));
  give_event(call, NamedEvent{c10::Event(type, flag_argument(call))});
}

void runtime_record(Call& call) {
  NamedEvent& asked = event_argument(call);
  asked.event.record(stream_or_current(call, asked));
}

void runtime_record_once(Call& call) {
  NamedEvent& asked = event_argument(call);
  asked.event.recordOnce(stream_or_current(call, asked));
}

void runtime_block(Call& call) {
  const NamedEvent& asked = event_argument(call);
  asked.event.block(stream_or_current(call, asked));
}

void runtime_event_info(Call& call) {
  const NamedEvent& asked = event_argument(call);
  call.set("recorded", asked.event.was_marked_for_recording());
  call.set("device", to_waist(asked.event.device()));
  call.set("flag", flag_value(asked.event.flag()));
  const auto id =
      static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(handle_of(asked.event)));
  call.set("created", id != 0);
  call.set("id", id);
}

void runtime_elapsed(Call& call) {
  const NamedEvent& from = event_argument(call, "from");
  call.result(Value(elapsed_ms(from.event, event_argument(call, "to").event)));
}

void runtime_move_event(Call& call) {
  NamedEvent& from = event_argument(call);
  give_event(call, std::move(from));
}

void runtime_assign_event(Call& call) {
  NamedEvent& to = event_argument(call, "to");
  NamedEvent& from = event_argument(call, "from");
  to.event = std::move(from.event);
}

NamedEvent& event_argument(Call& call, std::string_view name) {
  return *call.held<NamedEvent>(name, "event");  // kept alive by its name
}

}  // namespace assay::libtorch
