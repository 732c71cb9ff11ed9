// Moves of the area runtime: streams, events and work. Each move opens the gates that it closes, so
// that nothing blocks forever.
#include <array>

#include "harness/program/moves/runtime_parts.hpp"
#include "harness/program/moves/table.hpp"

namespace assay {
namespace stream_moves {

std::string device_type(const Draft& draft) { return draft.contract().cuda() ? "cuda" : "hip"; }

Device some_device(Draft& draft) {
  const int index = draft.random().one_in(8) ? -1 : draft.device_index();
  return {device_type(draft), index};
}

namespace {

/// On a machine without CUDA the devices are those of a backend.
void add_backend_without_cuda(Draft& draft) {
  if (draft.contract().cuda() || draft.any("backend") != nullptr) return;
  draft.make("runtime.backend", {{"type", "hip"}, {"kind", "fake"}}, {"", "backend"});
}

bool pool_stream(Draft& draft) {
  Random& random = draft.random();
  add_backend_without_cuda(draft);
  Fields with;
  if (random.one_in(2)) with.set("device", some_device(draft));
  if (random.one_in(3)) with.set("priority", random.between(-6, 2));
  if (!with.has("priority") && random.one_in(3)) with.set("high", random.one_in(2));
  draft.make("runtime.pool_stream", std::move(with), {"", "stream"});
  return true;
}

bool found_stream(Draft& draft) {
  add_backend_without_cuda(draft);
  Fields with;
  if (draft.random().one_in(2)) with.set("device", some_device(draft));
  draft.make(draft.random().of({"runtime.default_stream", "runtime.current_stream"}),
             std::move(with), {"", "stream"});
  return true;
}

/// Values that are not converted to streams.
bool value_stream(Draft& draft) {
  Random& random = draft.random();
  const std::int64_t id = random.of({std::int64_t{0}, std::int64_t{3}, std::int64_t{-1},
                                     std::int64_t{995}, std::int64_t{1} << 40});
  const Device device{random.of({"cuda", "cpu", "hip", "xpu"}),
                      static_cast<int>(random.between(-1, 3))};
  draft.make("runtime.stream", {{"device", device}, {"id", id}}, {"", "value"});
  return true;
}

Value some_value(Draft& draft) {
  const Known* known = draft.any(draft.random().one_in(2) ? "value" : "stream");
  if (known == nullptr) value_stream(draft);
  return Ref{known == nullptr ? draft.any("value")->name : known->name};
}

bool stream_info(Draft& draft) {
  const Value stream = some_value(draft);
  draft.add("runtime.stream_info", {{"stream", stream}});
  draft.add("runtime.pack", {{"stream", stream}});
  return true;
}

bool handle(Draft& draft) {
  const Value stream = some_stream(draft);
  draft.add("runtime.handle", {{"stream", stream}});
  draft.add("runtime.priority", {{"stream", stream}});
  return true;
}

bool set_stream(Draft& draft) {
  const Value stream = some_stream(draft);
  draft.add(draft.random().of({"runtime.set_current_stream", "runtime.python_set_stream"}),
            {{"stream", stream}});
  return true;
}

bool set_device(Draft& draft) {
  Random& random = draft.random();
  add_backend_without_cuda(draft);
  const Device device{device_type(draft), random.one_in(12) ? 99 : draft.device_index()};
  draft.add(random.of({"runtime.set_device", "runtime.exchange_device"}), {{"device", device}});
  return true;
}

bool get_device(Draft& draft) {
  add_backend_without_cuda(draft);
  draft.add("runtime.get_device", {{"type", device_type(draft)}});
  return true;
}

bool wrong_device(Draft& draft) {
  const Device device{device_type(draft), static_cast<int>(draft.random().between(5, 120))};
  draft.add(draft.random().of({"runtime.pool_stream", "runtime.current_stream"}),
            {{"device", device}});
  return true;
}

bool event(Draft& draft) {
  make_event(draft);
  return true;
}

bool record(Draft& draft) {
  const Value event = some_event(draft);
  Fields with{{"event", event}};
  if (!draft.random().one_in(4)) with.set("stream", some_stream(draft));
  draft.add(draft.random().of({"runtime.record", "runtime.record", "runtime.record_once"}),
            std::move(with));
  return true;
}

bool block(Draft& draft) {
  const Value event = some_event(draft);
  const Value stream = some_stream(draft);
  draft.add(draft.random().of({"runtime.block", "runtime.wait", "runtime.wait_event"}),
            {{"stream", stream}, {"event", event}});
  return true;
}

bool event_info(Draft& draft) {
  draft.add("runtime.event_info", {{"event", some_event(draft)}});
  return true;
}

bool move_event(Draft& draft) {
  const Value event = some_event(draft);
  if (draft.random().one_in(2)) {
    draft.make("runtime.move_event", {{"event", event}}, {"", "event"});
  } else {
    draft.add("runtime.assign_event", {{"to", some_event(draft)}, {"from", event}});
  }
  return true;
}

bool distinct(Draft& draft) {
  List events;
  for (int i = 0; i < 3; ++i) events.items.push_back(some_event(draft));
  draft.add("runtime.distinct_events", {{"events", std::move(events)}});
  return true;
}

bool drop_event(Draft& draft) {
  const Known* known = draft.any("event");
  if (known == nullptr) return false;
  const std::string name = known->name;
  draft.add("drop", {{"object", Ref{name}}});
  draft.forget(name);
  return true;
}

bool synchronize(Draft& draft) {
  const bool is_event = draft.random().one_in(2);
  draft.add("runtime.synchronize", {{"object", is_event ? some_event(draft) : some_stream(draft)}});
  return true;
}

bool query(Draft& draft) {
  const bool is_event = draft.random().one_in(2);
  draft.add("runtime.query", {{"object", is_event ? some_event(draft) : some_stream(draft)}});
  return true;
}

bool wait_stream(Draft& draft) {
  const Value stream = some_stream(draft);
  draft.add("runtime.wait_stream", {{"stream", stream}, {"other", some_stream(draft)}});
  return true;
}

bool kernel(Draft& draft) {
  Fields with;
  if (draft.random().one_in(2)) with.set("stream", some_stream(draft));
  draft.add("runtime.kernel", std::move(with));
  return true;
}

/// A gate, work that does not wait for it, and the opening of the gate.
bool gated(Draft& draft) {
  const Value stream = some_stream(draft);
  const std::string gate = draft.fresh("gate");
  draft.add("runtime.gate", {{"stream", stream}}, gate);
  for (std::int64_t left = draft.random().between(1, 4); left > 0; --left) {
    draft.random().of({&kernel, &record, &block, &query, &event_info, &wait_stream})(draft);
  }
  draft.add("runtime.open", {{"gate", Ref{gate}}});
  draft.add("runtime.synchronize", {{"object", stream}});
  draft.add("runtime.query", {{"object", stream}});
  return true;
}

/// Passes data from one stream to another through an event.
bool message(Draft& draft) {
  if (!draft.contract().cuda()) return false;
  TensorValue word;
  word.shape = {1};
  word.device = {"cuda", draft.device_index()};
  word.data.assign(4, 0);
  const std::string name = draft.fresh("w");
  draft.add("core.tensor", {{"value", word}}, name);
  const Value from =
      Ref{draft.make("runtime.pool_stream", {{"device", word.device}}, {"", "stream"})};
  const Value to =
      Ref{draft.make("runtime.pool_stream", {{"device", word.device}}, {"", "stream"})};
  for (std::int64_t left = draft.random().between(1, 3); left > 0; --left) {
    draft.add("runtime.store", {{"tensor", Ref{name}},
                                {"value", static_cast<double>(draft.random().between(1, 9))},
                                {"stream", from}});
  }
  const std::string event = draft.fresh("e");
  draft.add("runtime.record_event", {{"stream", from}}, event);
  draft.add("runtime.wait_event", {{"stream", to}, {"event", Ref{event}}});
  const std::string seen = draft.fresh("w");
  draft.add("runtime.load", {{"tensor", Ref{name}}, {"stream", to}}, seen);
  draft.add("runtime.synchronize", {{"object", to}});
  draft.add("core.read", {{"tensor", Ref{seen}}});
  return true;
}

constexpr std::array kKinds = {
    DrawKind{"stream", [](Draft& draft) -> Value { return some_stream(draft); }},
    DrawKind{"event", [](Draft& draft) -> Value { return some_event(draft); }},
    DrawKind{"value", [](Draft& draft) -> Value { return some_value(draft); }},
};

const std::array kMoves = {
    Move{"runtime.pool_stream", 3, pool_stream},
    Move{"runtime.default_stream", 2, found_stream},
    Move{"runtime.stream", 1, value_stream},
    Move{"runtime.stream_info", 2, stream_info},
    Move{"runtime.handle", 1, handle},
    Move{"runtime.set_current_stream", 2, set_stream},
    Move{"runtime.set_device", 2, set_device},
    Move{"runtime.get_device", 2, get_device},
    Move{"runtime.current_stream", 1, wrong_device},
    Move{"runtime.event", 2, event},
    Move{"runtime.record", 4, record},
    Move{"runtime.block", 3, block},
    Move{"runtime.event_info", 3, event_info},
    Move{"runtime.move_event", 2, move_event},
    Move{"runtime.distinct_events", 1, distinct},
    Move{"drop", 1, drop_event},
    Move{"runtime.synchronize", 2, synchronize},
    Move{"runtime.query", 1, query},
    Move{"runtime.wait_stream", 1, wait_stream},
    Move{"runtime.kernel", 2, kernel},
    Move{"runtime.gate", 2, gated},
    Move{"runtime.store", 2, message},
    Move{"scope", 4, guarded},
    Move{"scope", 4, guarded_stream},
    Move{"runtime.device_guard", 2, device_guard, true},
    Move{"runtime.stream_guard", 2, stream_guard, true},
    Move{"runtime.multi_stream_guard", 1, multi_stream_guard, true},
    Move{"runtime.stream_context", 1, stream_context, true},
    Move{"runtime.device_context", 1, device_context, true},
};

}  // namespace

Value some_stream(Draft& draft) {
  const Known* known = draft.any("stream");
  if (known != nullptr && !draft.random().one_in(8)) return Ref{known->name};
  draft.random().one_in(3) ? found_stream(draft) : pool_stream(draft);
  return Ref{draft.any("stream")->name};
}

std::string make_event(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"api", random.of({"cuda", "python", "generic", "generic"})}};
  const std::string& api = *with.find("api")->get_if<std::string>();
  if (api == "generic") {
    with.set("device", device_type(draft));
    with.set("flag", random.of({"pytorch_default", "backend_default", "backend_default"}));
  } else if (api == "python") {
    with.set("timing", random.one_in(2));
  } else if (random.one_in(2)) {
    with.set("flag", static_cast<std::int64_t>(random.below(4)));
  }
  return draft.make("runtime.event", std::move(with), {"", "event"});
}

Value some_event(Draft& draft) {
  const Known* known = draft.any("event");
  if (known != nullptr && !draft.random().one_in(6)) return Ref{known->name};
  return Ref{make_event(draft)};
}

}  // namespace stream_moves

std::span<const Move> runtime_moves() {
  static const std::vector<Move> kAll =
      with_table("runtime", stream_moves::kKinds, stream_moves::kMoves);
  return kAll;
}

}  // namespace assay
