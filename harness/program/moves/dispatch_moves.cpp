// Moves of the area dispatch: registrations, guards and calls.
#include <array>

#include "harness/program/moves.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

/// Keys of tensors and of layers over them: a program that uses few meets itself often. PyTorch
/// dies in its own kernel at Tracer.
const char* some_key(Random& random) {
  return random.of({"CPU",
                    "CPU",
                    "CUDA",
                    "CUDA",
                    "XLA",
                    "Meta",
                    "SparseCPU",
                    "SparseCUDA",
                    "QuantizedCPU",
                    "NestedTensorCPU",
                    "BackendSelect",
                    "ADInplaceOrView",
                    "AutogradOther",
                    "AutogradCPU",
                    "AutogradCPU",
                    "AutogradCUDA",
                    "AutogradXLA",
                    "Tracer",
                    "AutocastCPU",
                    "AutocastCUDA",
                    "TESTING_ONLY_GenericWrapper"});
}

const char* some_alias(Random& random) {
  return random.of({"CompositeImplicitAutograd", "CompositeExplicitAutograd",
                    "CompositeExplicitAutogradNonFunctional", "Autograd",
                    "CompositeImplicitAutogradNestedTensor"});
}

List some_set(Random& random) {
  List keys;
  for (std::int64_t left = random.between(0, 3); left > 0; --left) {
    keys.items.emplace_back(some_key(random));
  }
  return keys;
}

/// What an operator takes, by the letters of its overload: t tensor, o optional, l list, i int.
const char* some_shape(Random& random) { return random.of({"t", "t", "tt", "to", "l", "i", "ol"}); }

std::string schema_of(const std::string& op, const std::string& takes) {
  std::string text = op + "(";
  for (std::size_t i = 0; i < takes.size(); ++i) {
    const char* const type = takes[i] == 't'   ? "Tensor"
                             : takes[i] == 'o' ? "Tensor?"
                             : takes[i] == 'l' ? "Tensor[]"
                                               : "int";
    text += (i > 0 ? ", " : "") + std::string(type) + " a" + std::to_string(i);
  }
  return text + ") -> " + (takes == "i" ? "int" : "Tensor");
}

/// `fuzz::t3.t`: the overload says what it takes.
std::string takes_of(const std::string& op) { return op.substr(op.rfind('.') + 1); }

bool define(Draft& draft) {
  const std::string takes = some_shape(draft.random());
  const std::string op = draft.fresh("fuzz::f") + "." + takes;
  draft.make("dispatch.def", {{"schema", schema_of(op, takes)}},
             {"", "registration", Dtype::kFloat32, {}, op});
  return true;
}

/// Of an operator that was once defined.
std::string some_op(Draft& draft) {
  const Known* known = draft.any("registration");
  if (known != nullptr && !draft.random().one_in(8)) return known->text;
  define(draft);
  return draft.any("registration")->text;
}

/// What goes down to other kernels stands at keys that it masks; elsewhere it would meet itself.
enum class Place : std::uint8_t { kAnywhere, kExact };

std::string kernel(Draft& draft, Place place) {
  Random& random = draft.random();
  const char* behaviour = place == Place::kAnywhere
                              ? random.of({"return", "return", "return", "raise", "fallthrough"})
                              : random.of({"return", "redispatch", "call", "fallthrough"});
  Fields with{{"behaviour", behaviour}};
  if (behaviour == std::string_view("raise")) {
    with.set("kind", random.of({"error", "value"}));
    with.set("message", "by a kernel");
  }
  const std::string name = draft.fresh("k");
  with.set("label", name);
  draft.add("dispatch.kernel", std::move(with), name);
  return name;
}

bool implement(Draft& draft) {
  Random& random = draft.random();
  const std::string op = some_op(draft);
  const bool at_alias = random.one_in(3);
  const std::string made = kernel(draft, at_alias ? Place::kAnywhere : Place::kExact);
  Fields with{{"op", op}, {"kernel", Ref{made}}};
  if (!at_alias || !random.one_in(4)) {
    with.set("key", at_alias ? some_alias(random) : some_key(random));
  }
  draft.make("dispatch.impl", std::move(with), {"", "registration", Dtype::kFloat32, {}, op});
  return true;
}

bool fall_back(Draft& draft) {
  const std::string made = kernel(draft, Place::kExact);
  draft.make("dispatch.fallback",
             {{"kernel", Ref{made}},
              {"key", draft.random().of({"TESTING_ONLY_GenericWrapper", "TESTING_ONLY_GenericMode",
                                         "AutogradXLA"})}},
             {"", "fallback"});
  return true;
}

bool unregister(Draft& draft) {
  const Known* known = draft.any(draft.random().one_in(4) ? "fallback" : "registration");
  if (known == nullptr) return false;
  const std::string name = known->name;
  draft.add("drop", {{"object", Ref{name}}});
  draft.forget(name);
  return true;
}

Ref some_probe(Draft& draft) {
  Random& random = draft.random();
  if (const Known* known = draft.any("probe"); known != nullptr && random.below(3) > 0) {
    return Ref{known->name};
  }
  Fields with{{"device", random.of({"cpu", "cpu", "cuda", "cuda", "xla", "meta"})}};
  if (random.one_in(6)) with.set("layout", "sparse");
  if (random.one_in(6)) with.set("inference", true);
  return Ref{draft.make("dispatch.tensor", std::move(with), {"", "probe"})};
}

bool probe(Draft& draft) {
  draft.add("dispatch.tensor_keys", {{"of", some_probe(draft)}});
  return true;
}

Value argument(Draft& draft, char takes) {
  Random& random = draft.random();
  if (takes == 'i') return random.between(-2, 9);
  if (takes == 't' || (takes == 'o' && !random.one_in(3))) return some_probe(draft);
  if (takes == 'o') return {};
  List list;
  for (std::int64_t left = random.between(0, 3); left > 0; --left) {
    list.items.emplace_back(some_probe(draft));
  }
  return list;
}

List arguments(Draft& draft, const std::string& op) {
  List args;
  for (const char takes : takes_of(op)) args.items.push_back(argument(draft, takes));
  return args;
}

bool call(Draft& draft) {
  const std::string op = some_op(draft);
  List args = arguments(draft, op);
  draft.add("dispatch.call", {{"op", op}, {"args", std::move(args)}, {"boxed", true}});
  return true;
}

bool redispatch(Draft& draft) {
  const std::string op = some_op(draft);
  List args = arguments(draft, op);
  draft.add(
      "dispatch.call",
      {{"op", op}, {"args", std::move(args)}, {"boxed", true}, {"keys", some_set(draft.random())}});
  return true;
}

bool tls(Draft& draft) {
  draft.add("dispatch.tls", {});
  return true;
}

template <const char* const& verb>
bool guard(Draft& draft) {
  draft.add(verb, {{"keys", some_set(draft.random())}});
  return true;
}
constexpr const char* kInclude = "dispatch.include";
constexpr const char* kExclude = "dispatch.exclude";

bool below(Draft& draft) {
  draft.add("dispatch.below",
            {{"what", draft.random().of({"autograd", "ADInplaceOrView", "inference_mode"})}});
  return true;
}

bool set_algebra(Draft& draft) {
  Random& random = draft.random();
  draft.add("dispatch.set", {{"a", some_set(random)},
                             {"operation", random.of({"or", "and", "minus", "xor"})},
                             {"b", some_set(random)}});
  return true;
}

bool has(Draft& draft) {
  draft.add("dispatch.has", {{"set", some_set(draft.random())}, {"key", some_key(draft.random())}});
  return true;
}

bool has_kernel(Draft& draft) {
  const std::string op = some_op(draft);
  draft.add(
      "dispatch.has_kernel",
      {{"op", op}, {draft.random().one_in(2) ? "key" : "computed", some_key(draft.random())}});
  return true;
}

bool find(Draft& draft) {
  const std::string op = some_op(draft);
  draft.add("dispatch.find", {{"op", op}, {"need_schema", draft.random().one_in(2)}});
  return true;
}

/// Schemas with a letter changed here and there: many are wrong, and both must say so.
bool parse(Draft& draft) {
  Random& random = draft.random();
  std::string text = random.of(
      {"ns::f.ov(Tensor(a!) self, int[2] n=1, *, float x=1e-5) -> Tensor(a!)",
       "f(Tensor? a, Tensor[] b, str s=\"x\") -> (Tensor, int)", "f(Device d, bool b=True) -> ()"});
  if (random.one_in(2)) {
    const std::size_t at = random.below(text.size());
    text[at] = random.of({'(', ')', ',', '*', ' ', '=', '[', '1', 'x', '?'});
  }
  draft.add("dispatch.parse", {{"text", text}});
  return true;
}

constexpr std::array kMoves = {
    Move{"dispatch.def", 2, define},
    Move{"dispatch.impl", 8, implement},
    Move{"dispatch.fallback", 1, fall_back},
    Move{"drop", 3, unregister},
    Move{"dispatch.call", 10, call},
    Move{"dispatch.call", 2, redispatch},
    Move{"dispatch.tensor_keys", 1, probe},
    Move{"dispatch.tls", 1, tls},
    Move{"dispatch.include", 2, guard<kInclude>, true},
    Move{"dispatch.exclude", 2, guard<kExclude>, true},
    Move{"dispatch.below", 1, below, true},
    Move{"dispatch.set", 2, set_algebra},
    Move{"dispatch.has", 1, has},
    Move{"dispatch.has_kernel", 2, has_kernel},
    Move{"dispatch.find", 1, find},
    Move{"dispatch.parse", 1, parse},
};

}  // namespace

std::span<const Move> dispatch_moves() { return kMoves; }

}  // namespace assay
