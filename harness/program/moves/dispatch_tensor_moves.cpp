// Moves of the area dispatch: probe tensors, and the keys of arguments.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
namespace {

/// Selected by properties: device, dtype, layout, kind of view.
Fields by_properties(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"device", random.of({"cpu", "cpu", "cuda", "cuda", "xla", "meta"})}};
  if (random.one_in(6)) with.set("layout", "sparse");
  if (random.one_in(6)) with.set("inference", true);
  if (random.one_in(8)) {
    with.set("dtype", random.of({Dtype::kFloat16, Dtype::kQint8, Dtype::kComplex64}));
  }
  if (random.one_in(10)) with.set(random.of({"conj", "neg", "zero"}), true);
  return with;
}

Value generator(Draft& draft) {
  Generator made;
  made.device = {draft.contract().cuda() && draft.random().one_in(2) ? "cuda" : "cpu", -1};
  made.seed = 7;
  return made;
}

Value undefined(Draft& draft) {
  if (const Known* known = draft.any("undefined")) return Ref{known->name};
  return Ref{draft.make("core.undefined", {}, {"", "undefined"})};
}

Value something_with_keys(Draft& draft) {
  switch (draft.random().below(8)) {
    case 0:
      return {};
    case 1:
      return generator(draft);
    case 2:
      return undefined(draft);
    default:
      return some_probe(draft);
  }
}

bool keys_of(Draft& draft) {
  Value of = something_with_keys(draft);
  if (draft.random().one_in(4)) {
    List list;
    list.items.push_back(std::move(of));
    list.items.push_back(something_with_keys(draft));
    of = std::move(list);
  }
  draft.add("dispatch.tensor_keys", {{"of", std::move(of)}});
  return true;
}

/// Tensors; occasionally one that does not exist.
List tensors(Draft& draft, std::int64_t count, bool optional) {
  List list;
  for (std::int64_t left = count; left > 0; --left) {
    const bool absent = optional && draft.random().one_in(3);
    list.items.push_back(absent ? Value() : Value(some_probe(draft)));
  }
  return list;
}

Value dict_of_tensors(Draft& draft) {
  Dict dict;
  dict.items.emplace_back("a", some_probe(draft));
  return dict;
}

Value ints(Random& random) {
  List list;
  for (std::int64_t left = random.between(0, 3); left > 0; --left) {
    list.items.emplace_back(random.between(-2, 9));
  }
  return list;
}

/// `t` tensor, `o` optional tensor, `l` list, `p` list of optionals, `m` two, `c` dict, `g`
/// generator, `h` optional generator; `i` int, `j` optional int, `k` ints, `f` float, `b` bool, `s`
/// text, `n` number, `d` device, `y` dtype, `z` optional dtype.
Value argument_of(Draft& draft, char takes) {
  Random& random = draft.random();
  if (std::string_view("ohjz").find(takes) != std::string_view::npos && random.one_in(3)) return {};
  switch (takes) {
    case 'l':
      return tensors(draft, random.between(0, 3), false);
    case 'p':
      return tensors(draft, random.between(0, 3), true);
    case 'm':
      return tensors(draft, 2, false);
    case 'c':
      return dict_of_tensors(draft);
    case 'g':
    case 'h':
      return generator(draft);
    case 'i':
    case 'j':
      return random.between(-2, 9);
    case 'k':
      return ints(random);
    case 'f':
      return random.of({0.5, -2.0, 1e30});
    case 'b':
      return random.one_in(2);
    case 's':
      return random.of({"", "text"});
    case 'n':
      return random.one_in(2) ? Value(random.between(-2, 9)) : Value(0.25);
    case 'd':
      return Device{"cpu", -1};
    case 'y':
    case 'z':
      return random.of({Dtype::kFloat32, Dtype::kInt64});
    default:
      return random.one_in(20) ? undefined(draft) : Value(some_probe(draft));
  }
}

const std::array kMoves = {
    Move{"dispatch.tensor_keys", 4, keys_of},
};

}  // namespace

Ref some_probe(Draft& draft) {
  Random& random = draft.random();
  if (const Known* known = draft.any("probe"); known != nullptr && random.below(3) > 0) {
    return Ref{known->name};
  }
  Fields with = by_properties(draft);
  if (random.one_in(8)) with = Fields{{"keys", any_keys(draft)}};
  return Ref{draft.make("dispatch.tensor", std::move(with), {"", "probe"})};
}

List arguments_of(Draft& draft, const OpShape& shape) {
  List args;
  for (const char takes : std::string_view(shape.takes)) {
    args.items.push_back(argument_of(draft, takes));
  }
  return args;
}

std::span<const Move> dispatch_tensor_moves() { return kMoves; }

}  // namespace assay
