// Moves of the area dispatch: calls, queries of registrations, listeners and observers; and the
// list of all moves.
#include <array>
#include <vector>

#include "harness/program/moves/dispatch_parts.hpp"
#include "harness/program/moves/table.hpp"

namespace assay {

// Boxed and typed calls, and operator handles.

namespace {

/// The operator's name, or an existing handle for it.
Value name_or_handle(Draft& draft, std::string& op) {
  const Known* handle = draft.any("handle");
  if (handle != nullptr && draft.random().one_in(4)) {
    op = handle->text;
    return Ref{handle->name};
  }
  op = some_op(draft);
  return op;
}

Fields call_of(Draft& draft) {
  std::string op;
  Value target = name_or_handle(draft, op);
  List args = arguments_of(draft, shape_of(op));
  return {{"op", std::move(target)}, {"args", std::move(args)}};
}

bool boxed(Draft& draft) {
  Fields with = call_of(draft);
  with.set("boxed", true);
  draft.add("dispatch.call", std::move(with));
  return true;
}

bool typed(Draft& draft) {
  Random& random = draft.random();
  const std::string op = some_op(draft);
  const OpShape& shape = shape_of(op);
  if (!draft.is_typed() || shape.signature[0] == '\0') return false;
  List args = arguments_of(draft, shape);
  if (args.items.size() > 1 && random.one_in(6)) args.items.pop_back();
  Fields with{{"op", op}, {"args", std::move(args)}};
  if (random.one_in(2)) with.set("signature", shape.signature);
  if (random.one_in(6)) with.set("keys", some_set(random));
  draft.add("dispatch.call", std::move(with));
  return true;
}

/// A boxed call with additional values on the stack, or too few.
bool on_stack(Draft& draft) {
  if (!draft.is_typed()) return false;
  Random& random = draft.random();
  Fields with = call_of(draft);
  const auto count = static_cast<std::int64_t>(with.find("args")->get_if<List>()->items.size());
  with.set("boxed", true);
  if (random.one_in(2)) {
    List below;
    below.items.emplace_back(5);
    below.items.emplace_back("below");
    with.set("below", std::move(below));
  }
  if (count > 0 && random.one_in(6)) with.set("depth", count - 1);
  if (random.one_in(2)) {
    const std::string stack = draft.fresh("s");
    draft.add("core.ivalue", {{"value", List{}}}, stack);
    with.set("stack", Ref{stack});
    draft.add("dispatch.call", std::move(with));
    draft.add("core.ivalue_to", {{"ivalue", Ref{stack}}, {"kind", "List"}});
    return true;
  }
  draft.add("dispatch.call", std::move(with));
  return true;
}

bool for_key(Draft& draft) {
  Fields with = call_of(draft);
  with.set("for_key", draft.random().of({"CPU", "CUDA", "AutogradCPU", "AutogradXLA", "Meta",
                                         "QuantizedCPU", "TESTING_ONLY_GenericWrapper"}));
  draft.add("dispatch.call", std::move(with));
  return true;
}

bool redispatch(Draft& draft) {
  Fields with = call_of(draft);
  with.set("boxed", true);
  with.set("keys", some_set(draft.random()));
  draft.add("dispatch.call", std::move(with));
  return true;
}

bool take_handle(Draft& draft) {
  const std::string op = some_op(draft);
  draft.make("dispatch.handle", {{"op", op}}, {"", "handle", Dtype::kFloat32, {}, op});
  return true;
}

/// Uses the operator's signature, or a different one.
bool take_typed_handle(Draft& draft) {
  if (!draft.is_typed()) return false;
  Random& random = draft.random();
  const std::string op = some_op(draft);
  const OpShape& shape = shape_of(op);
  const bool own = shape.signature[0] != '\0' && random.one_in(2);
  const std::string handle = draft.fresh("h");
  draft.add("dispatch.handle",
            {{"op", op}, {"signature", own ? shape.signature : any_signature(random)}}, handle);
  List args = arguments_of(draft, shape);
  draft.add("dispatch.call", {{"op", Ref{handle}}, {"args", std::move(args)}});
  return true;
}

bool trace(Draft& draft) {
  Command command;
  command.verb = "scope";
  const std::string name = draft.fresh("t");
  command.enter = draft.block([&] { draft.add("dispatch.trace", {}, name); });
  command.body = draft.block([&] {
    boxed(draft);
    draft.add("dispatch.traced", {{"trace", Ref{name}}});
  });
  draft.add(std::move(command));
  return true;
}

const std::array kCallMoves = {
    Move{"dispatch.call", 10, boxed},
    Move{"dispatch.call", 8, typed},
    Move{"dispatch.call", 3, on_stack},
    Move{"dispatch.call", 2, for_key},
    Move{"dispatch.call", 3, redispatch},
    Move{"dispatch.handle", 2, take_handle},
    Move{"dispatch.handle", 2, take_typed_handle},
    Move{"dispatch.trace", 1, trace},
};

}  // namespace

std::span<const Move> dispatch_call_moves() { return kCallMoves; }

// Queries of registrations.

namespace {

bool find_or_throw(Draft& draft) {
  const std::string op = some_name(draft);
  const std::size_t dot = op.rfind('.');
  const bool overloaded = !draft.random().one_in(6);
  draft.make("dispatch.find_or_throw",
             {{"name", op.substr(0, dot)}, {"overload", overloaded ? op.substr(dot + 1) : ""}},
             {"", "handle", Dtype::kFloat32, {}, op});
  return true;
}

bool list_registrations(Draft& draft) {
  Fields with{{"namespace", "fuzz"}};
  if (draft.random().below(3) > 0) with.set("key", any_key(draft));
  draft.add("dispatch.registrations", std::move(with));
  return true;
}

bool has_kernel(Draft& draft) {
  const std::string op = some_op(draft);
  Fields with{{"op", op}};
  switch (draft.random().below(3)) {
    case 0:
      with.set("key", any_key(draft));
      break;
    case 1:
      with.set("computed", any_key(draft));
      break;
    default:
      with.set("any", any_keys(draft));
  }
  draft.add("dispatch.has_kernel", std::move(with));
  return true;
}

const std::array kAskMoves = {
    Move{"dispatch.find_or_throw", 1, find_or_throw},
    Move{"dispatch.registrations", 1, list_registrations},
    Move{"dispatch.has_kernel", 4, has_kernel},
};

}  // namespace

std::span<const Move> dispatch_ask_moves() { return kAskMoves; }

// Listeners and observers.

namespace {

/// A callback that succeeds only while its operator exists.
Callable choosy_callback(Draft& draft) {
  const std::string op = some_name(draft);
  const std::size_t dot = op.rfind('.');
  Command command;
  command.verb = "callback";
  command.as = draft.fresh("c");
  command.body = draft.block(
      [&] {
        draft.add("dispatch.find_or_throw",
                  {{"name", op.substr(0, dot)}, {"overload", op.substr(dot + 1)}});
      },
      true);
  const std::string name = command.as;
  draft.add(std::move(command));
  return {name};
}

bool listen(Draft& draft) {
  Fields with;
  if (draft.random().one_in(4)) with.set("added", choosy_callback(draft));
  draft.make("dispatch.listen", std::move(with), {"", "watcher"});
  return true;
}

bool observe(Draft& draft) {
  Random& random = draft.random();
  Fields with;
  if (random.one_in(2)) with.set("inputs", true);
  if (random.one_in(2)) with.set("outputs", true);
  if (random.one_in(5)) with.set("probability", random.of({0.0, 1.0, 1.5, -0.5}));
  draft.make("dispatch.observe", std::move(with), {"", "watcher"});
  return true;
}

bool events(Draft& draft) {
  const Known* known = draft.any("watcher");
  if (known == nullptr) return false;
  draft.add("dispatch.events", {{"of", Ref{known->name}}});
  return true;
}

bool stop_watching(Draft& draft) {
  const Known* known = draft.any("watcher");
  if (known == nullptr) return false;
  const std::string name = known->name;
  draft.add("drop", {{"object", Ref{name}}});
  draft.forget(name);
  return true;
}

const std::array kWatchMoves = {
    Move{"dispatch.listen", 1, listen},
    Move{"dispatch.observe", 1, observe},
    Move{"dispatch.events", 3, events},
    Move{"drop", 1, stop_watching},
};

}  // namespace

std::span<const Move> dispatch_watch_moves() { return kWatchMoves; }

// All moves.

namespace {

constexpr std::array kKinds = {
    DrawKind{"name", [](Draft& draft) -> Value { return some_name(draft); }},
    DrawKind{"op", [](Draft& draft) -> Value { return some_op(draft); }},
    DrawKind{"key", [](Draft& draft) -> Value { return any_key(draft); }},
    DrawKind{"alias", [](Draft& draft) -> Value { return any_alias(draft); }},
    DrawKind{"thread_key", [](Draft& draft) -> Value { return key_for_threads(draft.random()); }},
};

}  // namespace

std::span<const Move> dispatch_moves() {
  static const std::vector<Move> kAll = [] {
    std::vector<Move> all;
    for (const auto part :
         {dispatch_registration_moves(), dispatch_library_moves(), dispatch_call_moves(),
          dispatch_key_moves(), dispatch_tensor_moves(), dispatch_tls_moves(),
          dispatch_schema_moves(), dispatch_ask_moves(), dispatch_watch_moves()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return with_table("dispatch", kKinds, all);
  }();
  return kAll;
}

}  // namespace assay
