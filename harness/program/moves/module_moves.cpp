// Moves of the area module: module trees, their contents, and conversions.
#include <array>

#include "harness/program/moves/table.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

const std::initializer_list<const char*> kNames = {"a", "b", "weight"};

Ref new_module(Draft& draft, Fields with) {
  return Ref{draft.make("module.new", std::move(with), {"", "module"})};
}

/// Uses integers, so that products are exact in every type.
Ref new_linear(Draft& draft) {
  Random& random = draft.random();
  const Dtype dtype = random_float_dtype(random);
  Fields with{{"kind", "linear"}, {"weight", small_tensor(random, dtype, {2, 2})}};
  if (random.one_in(2)) with.set("bias", small_tensor(random, dtype, {2}));
  const Ref made = new_module(draft, std::move(with));
  draft.remember({made.name, "holder", dtype, {}, "weight"});
  return made;
}

Ref some_module(Draft& draft) {
  if (const Known* known = draft.any("module")) return Ref{known->name};
  return new_module(draft, {});
}

bool plain(Draft& draft) {
  new_module(draft, {});
  return true;
}

bool linear(Draft& draft) {
  new_linear(draft);
  return true;
}

bool sequence(Draft& draft) {
  List modules;
  for (std::int64_t left = draft.random().between(0, 2); left > 0; --left) {
    modules.items.emplace_back(draft.random().one_in(2) ? new_linear(draft) : some_module(draft));
  }
  new_module(draft, {{"kind", "sequential"}, {"modules", std::move(modules)}});
  return true;
}

/// A value, or an existing tensor, possibly a parameter of another module.
Value some_content(Draft& draft) {
  Random& random = draft.random();
  if (random.one_in(10)) return {};
  if (random.one_in(3)) return some_tensor(draft);
  return random_tensor(random, random_dtype(random), random_shape(random));
}

bool set_parameter(Draft& draft) {
  Random& random = draft.random();
  const Ref module = some_module(draft);
  const char* name = random.of(kNames);
  Fields with{{"module", module}, {"name", name}, {"tensor", some_content(draft)}};
  if (random.one_in(3)) with.set("requires_grad", random.one_in(2));
  if (random.one_in(12)) with.set("raw", true);
  draft.add("module.set_parameter", std::move(with));
  draft.remember({module.name, "holder", Dtype::kFloat32, {}, name});
  return true;
}

bool set_buffer(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"module", some_module(draft)},
              {"name", random.of({"mean", "count", "a"})},
              {"tensor", some_content(draft)}};
  if (random.one_in(3)) with.set("persistent", random.one_in(2));
  draft.add("module.set_buffer", std::move(with));
  return true;
}

/// Always uses a new child, so that no module contains itself.
bool set_child(Draft& draft) {
  const Ref module = some_module(draft);
  const Ref child = draft.random().one_in(2) ? new_linear(draft) : new_module(draft, {});
  const bool none = draft.random().one_in(10);
  draft.add("module.set_child", {{"module", module},
                                 {"name", draft.random().of({"sub", "a"})},
                                 {"child", none ? Value() : Value(child)}});
  return true;
}

bool set_attribute(Draft& draft) {
  const Ref module = some_module(draft);
  const Value one = some_tensor(draft);
  Value value = one;
  if (draft.random().one_in(3)) value = List{{one}};
  draft.add("module.set_attribute",
            {{"module", module}, {"name", "extra"}, {"value", std::move(value)}});
  return true;
}

std::string some_path(Draft& draft) {
  const std::string name = draft.random().of({"a", "b", "weight", "weight", "bias", "mean"});
  return draft.random().one_in(3) ? draft.random().of({"sub.", "0.", "1."}) + name : name;
}

/// Names a module's tensor, so that it can be queried, written and shared.
bool take_parameter(Draft& draft) {
  Random& random = draft.random();
  const Known* holder = draft.any("holder");
  const bool known = holder != nullptr && !random.one_in(5);
  const Ref module = known ? Ref{holder->name} : some_module(draft);
  const std::string path = known ? holder->text : some_path(draft);
  const std::string name =
      draft.make("module.parameter", {{"module", module}, {"path", path}}, {"", "parameter"});
  draft.add("core.info", {{"tensor", Ref{name}}});
  return true;
}

bool take_buffer(Draft& draft) {
  const std::string name =
      draft.make("module.buffer", {{"module", some_module(draft)}, {"path", some_path(draft)}},
                 {"", "buffer"});
  draft.add("core.read", {{"tensor", Ref{name}}});
  return true;
}

bool take_attribute(Draft& draft) {
  draft.add("module.attribute", {{"module", some_module(draft)}, {"path", "extra"}});
  return true;
}

bool read_parameter(Draft& draft) {
  const Known* known = draft.any("parameter");
  if (known == nullptr) return false;
  draft.add(draft.random().of({"core.read", "core.info", "core.grad"}),
            {{"tensor", Ref{known->name}}});
  return true;
}

bool same(Draft& draft) {
  const Known* one = draft.any("parameter");
  const Known* other = draft.any("parameter");
  if (one == nullptr) return false;
  draft.add(draft.random().of({"same", "alias"}), {{"a", Ref{one->name}}, {"b", Ref{other->name}}});
  return true;
}

/// A gradient of another type or shape must be rejected.
bool set_grad(Draft& draft) {
  Random& random = draft.random();
  const Known* known = draft.any("parameter");
  if (known == nullptr) return false;
  draft.add("core.set_grad",
            {{"tensor", Ref{known->name}},
             {"grad", random.one_in(6)
                          ? Value()
                          : Value(small_tensor(random, random_float_dtype(random), {2, 2}))}});
  return true;
}

bool to(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"module", some_module(draft)}};
  if (random.below(3) > 0) with.set("dtype", random_dtype(random));
  if (random.one_in(4)) with.set("device", draft.device());
  if (random.one_in(8)) with = Fields{{"module", some_module(draft)}, {"like", some_tensor(draft)}};
  if (random.one_in(8)) with.set("non_blocking", true);
  if (random.one_in(8)) with.set("memory_format", random.of({"channels_last", "preserve"}));
  draft.add("module.to", std::move(with));
  return true;
}

/// Disables computation, because products of tensors on meta and other devices are unspecified.
void forget_elements(Draft& draft) { draft.remember({"", "meta"}); }

/// Used only if the elements do not matter afterwards.
bool to_empty(Draft& draft) {
  forget_elements(draft);
  Fields with{{"module", some_module(draft)}, {"device", Device{"meta", -1}}};
  if (draft.random().one_in(3)) with.set("recurse", draft.random().one_in(2));
  draft.add("module.to_empty", std::move(with));
  return true;
}

bool apply_tensors(Draft& draft) {
  Random& random = draft.random();
  Command command;
  command.verb = "callback";
  command.as = draft.fresh("c");
  command.body = draft.block(
      [&] {
        if (random.one_in(3)) {
          draft.add("value", {{"value", Ref{"$0"}}});
        } else {
          draft.add("core.to", {{"tensor", Ref{"$0"}}, {"dtype", random_float_dtype(random)}});
        }
      },
      true);
  const Callable function{command.as};
  draft.add(std::move(command));
  Fields with{{"module", some_module(draft)}, {"function", function}};
  if (random.one_in(4)) with.set("recurse", random.one_in(2));
  draft.add("module.apply_tensors", std::move(with));
  return true;
}

bool flags(Draft& draft) {
  draft.add("module.flags", {{draft.random().of({"overwrite", "swap"}), draft.random().one_in(2)}});
  return true;
}

bool forward(Draft& draft) {
  Random& random = draft.random();
  if (draft.count("meta") > 0) return false;
  List args;
  args.items.emplace_back(small_tensor(random, random_float_dtype(random), {2, 2}));
  if (random.one_in(6)) args.items.push_back(args.items.front());
  draft.add("module.forward", {{"module", some_module(draft)}, {"args", std::move(args)}});
  return true;
}

bool grad_mode(Draft& draft) {
  draft.add("autograd.grad_mode", {{"value", draft.random().one_in(2)}});
  return true;
}

constexpr std::array kKinds = {
    DrawKind{"module", [](Draft& draft) -> Value { return some_module(draft); }},
};

const std::array kMoves = {
    Move{"module.new", 1, plain},
    Move{"module.new", 3, linear},
    Move{"module.new", 1, sequence},
    Move{"module.set_parameter", 4, set_parameter},
    Move{"module.set_buffer", 3, set_buffer},
    Move{"module.set_child", 3, set_child},
    Move{"module.set_attribute", 1, set_attribute},
    Move{"module.parameter", 5, take_parameter},
    Move{"module.buffer", 2, take_buffer},
    Move{"module.attribute", 1, take_attribute},
    Move{"core.read", 4, read_parameter},
    Move{"same", 2, same},
    Move{"core.set_grad", 3, set_grad},
    Move{"module.to", 6, to},
    Move{"module.to_empty", 1, to_empty},
    Move{"module.apply_tensors", 1, apply_tensors},
    Move{"module.flags", 1, flags},
    Move{"module.forward", 3, forward},
    Move{"autograd.grad_mode", 1, grad_mode, true},
};

}  // namespace

std::span<const Move> module_moves() {
  static const std::vector<Move> kAll = with_table("module", kKinds, kMoves);
  return kAll;
}

}  // namespace assay
