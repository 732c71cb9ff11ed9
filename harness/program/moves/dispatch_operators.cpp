// The operators of random programs: arguments, names, and matching kernels.
#include <algorithm>
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
namespace {

/// Any two differ in more than writes and defaults: otherwise PyTorch's TorchScript would confuse
/// the overloads, and keep one that was removed (2.4 to 2.15).
constexpr std::array kShapes = {
    OpShape{"t", "Tensor a", "Tensor", "t", "t", "Tensor(const Tensor&)"},
    OpShape{"t", "Tensor a", "Tensor", "t", "t", "Tensor(Tensor)"},
    OpShape{"tt", "Tensor a, Tensor b", "Tensor", "tt", "t", "Tensor(const Tensor&,const Tensor&)"},
    OpShape{"o", "Tensor? a", "Tensor", "o", "t", "Tensor(const optional<Tensor>&)"},
    OpShape{"l", "Tensor[] a", "Tensor", "l", "t", "Tensor(TensorList)"},
    OpShape{"p", "Tensor?[] a", "Tensor", "p", "t", "Tensor(List<optional<Tensor>>)"},
    OpShape{"m", "Tensor[2] a", "Tensor", "m", "t", "Tensor(array<Tensor,2>)"},
    OpShape{"c", "Dict(str, Tensor) a", "Tensor", "c", "t", "Tensor(Dict<string,Tensor>)"},
    OpShape{"g", "Generator a", "Tensor", "g", "t", "Tensor(Generator)"},
    OpShape{"h", "Generator? a", "Tensor", "h", "t", "Tensor(optional<Generator>)"},
    OpShape{"ti", "Tensor a, int b=3", "Tensor", "ti", "t", "Tensor(const Tensor&,int64_t)"},
    OpShape{"tf", "Tensor a, float b=0.5", "Tensor", "tf", "t", "Tensor(const Tensor&,double)"},
    OpShape{"tb", "Tensor a, bool b=True", "Tensor", "tb", "t", "Tensor(const Tensor&,bool)"},
    OpShape{"ts", "Tensor a, str b", "Tensor", "ts", "t", "Tensor(const Tensor&,string)"},
    OpShape{"tn", "Tensor a, Scalar b", "Tensor", "tn", "t", "Tensor(const Tensor&,const Scalar&)"},
    OpShape{"td", "Tensor a, Device b", "Tensor", "td", "t", "Tensor(const Tensor&,Device)"},
    OpShape{"ty", "Tensor a, ScalarType b", "Tensor", "ty", "t",
            "Tensor(const Tensor&,ScalarType)"},
    OpShape{"tz", "Tensor a, *, ScalarType? b=None", "Tensor", "tz", "t",
            "Tensor(const Tensor&,optional<ScalarType>)"},
    OpShape{"tkj", "Tensor a, int[] b, int? c=None", "Tensor", "tkj", "t",
            "Tensor(const Tensor&,IntList,optional<int64_t>)"},
    OpShape{"w", "Tensor(a!) w", "Tensor(a!)", "t", "t", "Tensor&(Tensor&)"},
    OpShape{"wi", "Tensor(a!) w, int b", "Tensor(a!)", "ti", "t", "Tensor&(Tensor&,int64_t)"},
    OpShape{"tw", "Tensor a, *, Tensor(a!) out", "Tensor(a!)", "tt", "t",
            "Tensor&(const Tensor&,Tensor&)"},
    OpShape{"tww", "Tensor a, *, Tensor(a!) b, Tensor(b!) c", "(Tensor(a!), Tensor(b!))", "ttt",
            "tt", "tuple<Tensor&,Tensor&>(const Tensor&,Tensor&,Tensor&)"},
    OpShape{"t_tt", "Tensor a", "(Tensor, Tensor)", "t", "tt",
            "tuple<Tensor,Tensor>(const Tensor&)"},
    OpShape{"t_tti", "Tensor a", "(Tensor, Tensor, int)", "t", "tti",
            "tuple<Tensor,Tensor,int64_t>(const Tensor&)"},
    OpShape{"t_it", "Tensor a", "(int, Tensor)", "t", "it", "tuple<int64_t,Tensor>(const Tensor&)"},
    OpShape{"to", "Tensor a, Tensor? b", "Tensor", "to", "t", ""},
    OpShape{"ol", "Tensor? a, Tensor[] b", "Tensor", "ol", "t", ""},
    OpShape{"n", "", "int", "", "i", "int64_t()"},
    OpShape{"e", "", "Tensor", "", "t", "Tensor()"},
    OpShape{"i", "int a", "()", "i", "", "void(int64_t)"},
};

/// Half of the shapes take only tensors.
constexpr std::size_t kPlain = 6;

std::string new_name(Draft& draft) {
  return std::string("fuzz::") + draft.random().of({"f", "g", "h"}) + "." +
         some_shape(draft.random()).name;
}

/// The index of the first mutable argument, which is also returned.
std::int64_t first_written(const OpShape& shape) {
  const std::string_view name(shape.name);
  const std::size_t at = name.find('w');
  return at == std::string_view::npos ? -1 : static_cast<std::int64_t>(at);
}

List values_for(Draft& draft, const OpShape& shape) {
  List values;
  for (const char gives : std::string_view(shape.gives)) {
    values.items.push_back(gives == 't' ? Value(some_probe(draft)) : Value(7));
  }
  const bool wrong = draft.random().one_in(10);
  if (wrong && !values.items.empty() && draft.random().one_in(2)) {
    values.items.pop_back();
  } else if (wrong) {
    values.items.emplace_back(1);
  }
  return values;
}

const char* some_behaviour(Draft& draft, Place place, const OpShape& shape) {
  Random& random = draft.random();
  if (place == Place::kExact && random.one_in(2)) {
    return random.of({"redispatch", "redispatch", "call", "fallthrough"});
  }
  const bool has_tensor_first = shape.takes[0] == 't' && std::string_view(shape.gives) == "t";
  if (has_tensor_first && random.below(3) > 0) return "return";
  if (first_written(shape) >= 0) return "return";
  return random.of({"value", "value", "value", "value", "raise", "fallthrough"});
}

/// A kernel that changes the dispatcher's state before it returns its first argument.
bool write_callback(Draft& draft, Fields& with) {
  const Known* known = draft.any("registration");
  const Known* kernel = draft.any("kernel");
  if (known == nullptr || kernel == nullptr) return false;
  Command command;
  command.verb = "callback";
  command.as = draft.fresh("c");
  const std::string op = known->text;
  const std::string inner = kernel->name;
  command.body = draft.block(
      [&] {
        if (draft.random().one_in(2)) {
          draft.add("dispatch.impl",
                    {{"op", op}, {"kernel", Ref{inner}}, {"key", some_key(draft.random())}},
                    draft.fresh("r"));
        } else {
          draft.add("dispatch.tls", {});
        }
        draft.add("value", {{"value", Ref{"$0"}}});
      },
      true);
  with.set("behaviour", "callback");
  with.set("call", Callable{command.as});
  draft.add(std::move(command));
  return true;
}

void say_what_it_does(Draft& draft, Place place, const OpShape& shape, Fields& with) {
  Random& random = draft.random();
  const char* behaviour = some_behaviour(draft, place, shape);
  const bool simple = shape.takes[0] == 't' && std::string_view(shape.gives) == "t";
  if (simple && behaviour == std::string_view("return") && random.one_in(10) &&
      write_callback(draft, with)) {
    return;
  }
  with.set("behaviour", behaviour);
  if (behaviour == std::string_view("raise")) {
    with.set("kind", random.of({"error", "value"}));
    with.set("message", "by a kernel");
  }
  if (behaviour == std::string_view("value")) with.set("values", values_for(draft, shape));
  if (behaviour == std::string_view("return") && first_written(shape) >= 0) {
    with.set("argument", first_written(shape));
  }
  if (draft.is_typed() && random.one_in(40)) with = Fields{{"behaviour", "null"}};
}

}  // namespace

const OpShape& some_shape(Random& random) {
  return kShapes[random.below(random.one_in(2) ? kPlain : kShapes.size())];
}

const OpShape& shape_of(const std::string& op) {
  const std::string name = op.substr(op.rfind('.') + 1);
  const auto found =
      std::ranges::find_if(kShapes, [&](const OpShape& shape) { return name == shape.name; });
  return found == kShapes.end() ? kShapes.front() : *found;
}

const char* any_signature(Random& random) {
  const char* signature = kShapes[random.below(kShapes.size())].signature;
  return signature[0] == '\0' ? "void()" : signature;
}

std::string schema_of(const std::string& op) {
  const OpShape& shape = shape_of(op);
  return op + "(" + shape.parameters + ") -> " + shape.returns;
}

bool define(Draft& draft) {
  Random& random = draft.random();
  std::string op = new_name(draft);
  while (draft.knows("registration", op) && !random.one_in(8)) op = new_name(draft);
  Fields with{{"schema", schema_of(op)}};
  if (random.one_in(8)) {
    with.set("alias_kind", random.of({"FROM_SCHEMA", "CONSERVATIVE", "PURE_FUNCTION"}));
  }
  if (random.one_in(6)) {
    with.set("kernel", Ref{new_kernel(draft, Place::kAnywhere, shape_of(op))});
    if (random.one_in(2)) with.set("key", some_key(random));
  }
  draft.make("dispatch.def", std::move(with), {"", "registration", Dtype::kFloat32, {}, op});
  return true;
}

std::string some_op(Draft& draft) {
  const Known* known = draft.any("registration");
  if (known != nullptr && !draft.random().one_in(8)) return known->text;
  define(draft);
  return draft.any("registration")->text;
}

std::string some_name(Draft& draft) {
  const Known* known = draft.any("registration");
  if (known != nullptr && draft.random().one_in(2)) return known->text;
  return new_name(draft);
}

std::string new_kernel(Draft& draft, Place place, const OpShape& shape) {
  Random& random = draft.random();
  Fields with;
  say_what_it_does(draft, place, shape, with);
  const bool wrong = random.one_in(12);
  const char* signature = wrong ? any_signature(random) : shape.signature;
  const bool boxed = with.find("behaviour")->get_if<std::string>()->starts_with("fall");
  if (draft.is_typed() && signature[0] != '\0' && !boxed && random.one_in(2)) {
    with.set("signature", signature);
    if (random.one_in(4)) with.set("takes_keys", false);
  }
  const std::string name = draft.fresh("k");
  with.set("label", name);
  draft.add("dispatch.kernel", std::move(with), name);
  draft.remember({name, "kernel", Dtype::kFloat32, {}, shape.name});
  return name;
}

}  // namespace assay
