// Moves of the area runtime with guards: each makes its prerequisites and changes guarded state.
#include "harness/program/moves/runtime_parts.hpp"

namespace assay::stream_moves {
namespace {

/// Queries all state that a guard may have changed.
void look(Draft& draft) {
  draft.add("runtime.get_device", {{"type", device_type(draft)}});
  for (int i = 0; i < draft.devices(); ++i) {
    draft.add("runtime.current_stream", {{"device", Device{device_type(draft), i}}});
  }
}

void raise_sometimes(Draft& draft) {
  if (draft.random().one_in(2)) return;
  draft.add("raise", {{"kind", draft.random().of({"error", "value"})}, {"message", "on purpose"}});
}

/// A scope with one guard; `change` adds a change of the guarded state.
template <typename Change>
void scope_of(Draft& draft, Command guard, const Change& change) {
  const Ref name{guard.as};
  Command scope;
  scope.verb = "scope";
  scope.enter = draft.block([&] { draft.add(std::move(guard)); });
  scope.body = draft.block([&] {
    look(draft);
    for (std::int64_t left = draft.random().between(0, 3); left > 0; --left) {
      change(name);
      draft.add("runtime.guard_info", {{"guard", name}});
    }
    look(draft);
    raise_sometimes(draft);
  });
  draft.add(std::move(scope));
  look(draft);
}

Command made(Draft& draft, std::string verb, Fields with) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  command.as = draft.fresh("guard");
  return command;
}

void change_device(Draft& draft, const Ref& guard, bool is_optional) {
  Random& random = draft.random();
  if (is_optional && random.one_in(4)) return draft.add("runtime.guard_reset", {{"guard", guard}});
  const Device device = random.one_in(10) ? Device{"xpu", 0} : some_device(draft);
  draft.add("runtime.guard_reset_device", {{"guard", guard}, {"device", device}});
}

}  // namespace

bool guarded(Draft& draft) {
  some_stream(draft);
  const bool is_optional = draft.random().one_in(2);
  Fields with;
  if (!is_optional || draft.random().one_in(2)) with.set("device", some_device(draft));
  if (!is_optional) with.set("virtual", true);
  scope_of(draft,
           made(draft, is_optional ? "runtime.optional_device_guard" : "runtime.device_guard",
                std::move(with)),
           [&](const Ref& guard) { change_device(draft, guard, is_optional); });
  return true;
}

bool guarded_stream(Draft& draft) {
  const bool is_optional = draft.random().one_in(2);
  std::vector<Value> streams;
  for (int i = 0; i < 4; ++i) streams.push_back(some_stream(draft));
  Fields with;
  if (!is_optional || draft.random().one_in(2)) with.set("stream", streams.back());
  scope_of(draft,
           made(draft, is_optional ? "runtime.optional_stream_guard" : "runtime.stream_guard",
                std::move(with)),
           [&](const Ref& guard) {
             if (is_optional && draft.random().one_in(4)) {
               return draft.add("runtime.guard_reset", {{"guard", guard}});
             }
             draft.add("runtime.guard_reset_stream",
                       {{"guard", guard}, {"stream", draft.random().of(streams)}});
           });
  return true;
}

bool device_guard(Draft& draft) {
  draft.add("runtime.device_guard", {{"device", some_device(draft)}, {"virtual", true}});
  return true;
}

/// Only guards are allowed in the `enter` of a scope, so streams are made before it.
bool stream_guard(Draft& draft) {
  const Known* stream = draft.any("stream");
  if (stream == nullptr) return false;
  draft.add("runtime.stream_guard", {{"stream", Ref{stream->name}}});
  return true;
}

bool multi_stream_guard(Draft& draft) {
  List streams;
  for (std::int64_t left = draft.random().between(0, 3); left > 0; --left) {
    const Known* stream = draft.any("stream");
    if (stream != nullptr) streams.items.emplace_back(Ref{stream->name});
  }
  draft.add("runtime.multi_stream_guard", {{"streams", std::move(streams)}});
  return true;
}

bool stream_context(Draft& draft) {
  const Known* stream = draft.any("stream");
  Value value;
  if (stream != nullptr) value = Ref{stream->name};
  draft.add("runtime.stream_context", {{"stream", std::move(value)}});
  return true;
}

bool device_context(Draft& draft) {
  draft.add("runtime.device_context",
            {{"device", draft.random().between(-1, draft.devices() - 1)}});
  return true;
}

}  // namespace assay::stream_moves
