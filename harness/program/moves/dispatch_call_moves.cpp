// Moves of the area dispatch: boxed and typed calls, and operator handles.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
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

const std::array kMoves = {
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

std::span<const Move> dispatch_call_moves() { return kMoves; }

}  // namespace assay
