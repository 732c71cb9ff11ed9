// Moves of the area core: tensors, conversions, operators.
#include <array>

#include "harness/program/moves/table.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

List list_of(const std::vector<std::int64_t>& numbers) {
  List list;
  for (const std::int64_t number : numbers) list.items.emplace_back(number);
  return list;
}

/// Returns a copy, because generating may add objects and invalidate references.
Known some_known(Draft& draft) {
  some_tensor(draft);
  return *draft.any("tensor");
}

bool tensor(Draft& draft) {
  Random& random = draft.random();
  const Dtype dtype = random_dtype(random);
  new_tensor(draft, dtype, random_shape(random), is_floating(dtype) && random.one_in(3));
  return true;
}

/// Conversions of infinities, NaNs and large floats to integers are unspecified and avoided.
bool is_defined(Dtype from, Dtype to) {
  return !is_floating(from) || is_floating(to) || to == Dtype::kBool;
}

bool to(Draft& draft) {
  Random& random = draft.random();
  Known known = some_known(draft);
  Fields with{{"tensor", Ref{known.name}}};
  if (const Dtype dtype = random_dtype(random); is_defined(known.dtype, dtype)) {
    known.dtype = dtype;
    with.set("dtype", known.dtype);
  }
  if (random.one_in(3)) with.set("device", draft.device());
  if (random.one_in(3)) with.set("copy", random.one_in(2));
  if (random.one_in(4)) with.set("memory_format", random.of({"preserve", "contiguous"}));
  draft.make("core.to", std::move(with), known);
  return true;
}

bool copy_(Draft& draft) {
  const Known dst = some_known(draft);
  const Known src = some_known(draft);
  if (!is_defined(src.dtype, dst.dtype)) return false;
  draft.add("core.copy_", {{"dst", Ref{dst.name}}, {"src", Ref{src.name}}});
  return true;
}

/// A float for floating tensors, an int for any.
Value number_for(Random& random, Dtype dtype) {
  return is_floating(dtype) ? random_scalar(random) : Value(random.between(-9, 300));
}

bool fill_(Draft& draft) {
  const Known known = some_known(draft);
  draft.add("core.fill_",
            {{"tensor", Ref{known.name}}, {"value", number_for(draft.random(), known.dtype)}});
  return true;
}

bool add_(Draft& draft) {
  const Known known = some_known(draft);
  const bool number = draft.random().one_in(2);
  draft.add("core.add_",
            {{"tensor", Ref{known.name}},
             {"other", number ? number_for(draft.random(), known.dtype) : some_tensor(draft)}});
  return true;
}

/// Rows either do not overlap or are identical: writing while overlapping is unspecified.
bool as_strided(Draft& draft) {
  Random& random = draft.random();
  Known known = some_known(draft);
  known.shape = {random.between(0, 3), random.between(1, 2)};
  draft.make("core.as_strided",
             {{"tensor", Ref{known.name}},
              {"shape", list_of(known.shape)},
              {"strides", list_of({random.of({0, 2, 3}), 1})},
              {"offset", random.between(0, 1)}},
             known);
  return true;
}

bool expand(Draft& draft) {
  Random& random = draft.random();
  Known known = some_known(draft);
  for (std::int64_t& size : known.shape) size = size == 1 ? random.between(1, 4) : size;
  if (random.one_in(2)) known.shape.insert(known.shape.begin(), random.between(1, 3));
  draft.make("core.expand", {{"tensor", Ref{known.name}}, {"shape", list_of(known.shape)}}, known);
  return true;
}

bool detach(Draft& draft) {
  const Known known = some_known(draft);
  draft.make("core.detach", {{"tensor", Ref{known.name}}}, known);
  return true;
}

bool blank(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"shape", list_of(random_shape(random))}, {"dtype", random_dtype(random)}};
  if (random.one_in(2)) with.set("device", draft.device());
  const std::string name = draft.make("core.empty", std::move(with), {"", "blank"});
  draft.add("core.info", {{"tensor", Ref{name}}});
  return true;
}

bool elementwise(Draft& draft) {
  Random& random = draft.random();
  Known known = some_known(draft);
  List args;
  args.items.emplace_back(Ref{known.name});
  const char* name = random.of({"add", "sub", "mul", "neg", "relu"});
  const bool one = name[0] == 'n' || name[0] == 'r';
  if (!one) {
    const Known other = some_known(draft);
    // The result's type: floating if either operand is.
    if (is_floating(other.dtype)) known.dtype = other.dtype;
    args.items.push_back(random.one_in(3) ? number_for(random, known.dtype) : Ref{other.name});
  }
  draft.make("core.op", {{"name", name}, {"args", std::move(args)}}, known);
  return true;
}

bool linear_algebra(Draft& draft) {
  Random& random = draft.random();
  const Dtype dtype = random_float_dtype(random);
  const std::int64_t rows = random.between(1, 3), inner = random.between(1, 3);
  List args;
  args.items.emplace_back(small_tensor(random, dtype, {rows, inner}));
  const bool product = random.one_in(2);
  if (product) args.items.emplace_back(small_tensor(random, dtype, {inner, random.between(1, 3)}));
  const char* name = product ? "mm" : random.of({"sum", "max", "any"});
  draft.add("core.op", {{"name", name}, {"args", std::move(args)}});
  return true;
}

/// Results that are exact in any order, or rounded once.
bool more_algebra(Draft& draft) {
  Random& random = draft.random();
  const Dtype dtype = random_float_dtype(random);
  const auto tensor = [&](std::vector<std::int64_t> shape) {
    return Value(small_tensor(random, dtype, std::move(shape)));
  };
  const char* name = random.of({"addmm", "bmm", "mv", "dot", "div", "mean", "linear"});
  const std::string_view what(name);
  List args;
  if (what == "addmm") args = List{{tensor({2, 2}), tensor({2, 3}), tensor({3, 2})}};
  if (what == "bmm") args = List{{tensor({2, 1, 3}), tensor({2, 3, 2})}};
  if (what == "mv") args = List{{tensor({2, 3}), tensor({3})}};
  if (what == "dot") args = List{{tensor({3}), tensor({3})}};
  if (what == "div") args = List{{tensor({2, 3}), tensor({3})}};
  if (what == "mean") args = List{{tensor({2, 4})}};
  if (what == "linear") args = List{{tensor({2, 3}), tensor({2, 3}), tensor({2})}};
  draft.add("core.op", {{"name", name}, {"args", std::move(args)}});
  return true;
}

bool set_grad(Draft& draft) {
  Random& random = draft.random();
  const Known known = some_known(draft);
  const bool none = random.one_in(4);
  draft.add("core.set_grad",
            {{"tensor", Ref{known.name}},
             {"grad", none ? Value() : Value(random_tensor(random, known.dtype, known.shape))}});
  return true;
}

/// Uses a new tensor: a view's gradient, if its base requires one later, is unspecified.
bool requires_grad_(Draft& draft) {
  Random& random = draft.random();
  const Ref leaf = new_tensor(draft, random_dtype(random), random_shape(random), false);
  draft.add("core.requires_grad_", {{"tensor", leaf}, {"value", !random.one_in(4)}});
  return true;
}

bool same(Draft& draft) {
  const Ref one = some_tensor(draft);
  draft.add("same", {{"a", one}, {"b", some_tensor(draft)}});
  return true;
}

bool alias(Draft& draft) {
  const Ref one = some_tensor(draft);
  draft.add("alias", {{"a", one}, {"b", some_tensor(draft)}});
  return true;
}

bool drop(Draft& draft) {
  if (draft.count("tensor") < 3) return false;
  const std::string name = draft.any("tensor")->name;
  draft.add("drop", {{"object", Ref{name}}});
  draft.forget(name);
  return true;
}

bool scalar(Draft& draft) {
  Random& random = draft.random();
  Fields with;
  if (!random.one_in(8)) with.set("value", random_scalar(random));
  draft.add("core.scalar", std::move(with));
  return true;
}

bool result_type(Draft& draft) {
  Random& random = draft.random();
  List operands;
  for (std::int64_t left = random.between(1, 3); left > 0; --left) {
    operands.items.push_back(random.one_in(3) ? random_scalar(random) : some_tensor(draft));
  }
  draft.add("core.result_type", {{"operands", std::move(operands)}});
  return true;
}

const char* some_device_type(Random& random) {
  return random.of({"cpu", "cuda", "meta", "xpu", "mps", "hip", "fpga", "xla", "privateuseone"});
}

constexpr std::array kKinds = {
    DrawKind{"device_type", [](Draft& draft) -> Value { return some_device_type(draft.random()); }},
    DrawKind{"cuda_device",
             [](Draft& draft) -> Value {
               return Device{"cuda", draft.device_index()};
             }},
};

const std::array kMoves = {
    Move{"core.tensor", 6, tensor},
    Move{"core.to", 5, to},
    Move{"core.copy_", 3, copy_},
    Move{"core.fill_", 2, fill_},
    Move{"core.add_", 2, add_},
    Move{"core.as_strided", 2, as_strided},
    Move{"core.expand", 2, expand},
    Move{"core.detach", 1, detach},
    Move{"core.empty", 1, blank},
    Move{"core.op", 4, elementwise},
    Move{"core.op", 2, linear_algebra},
    Move{"core.op", 2, more_algebra},
    Move{"core.set_grad", 1, set_grad},
    Move{"core.requires_grad_", 1, requires_grad_},
    Move{"same", 1, same},
    Move{"alias", 1, alias},
    Move{"drop", 1, drop},
    Move{"core.scalar", 1, scalar},
    Move{"core.result_type", 2, result_type},
};

}  // namespace

std::span<const Move> core_moves() {
  static const std::vector<Move> kAll = with_table("core", kKinds, kMoves);
  return kAll;
}

}  // namespace assay
