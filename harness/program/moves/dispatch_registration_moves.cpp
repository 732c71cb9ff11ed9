// Moves of the area dispatch: registration and removal of operators, kernels and fallbacks;
// libraries and their restrictions.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
namespace {

/// An existing kernel for such an operator, or a new one.
std::string some_kernel(Draft& draft, Place place, const OpShape& shape) {
  const Known* known = draft.any("kernel");
  const bool again = known != nullptr && place == Place::kAnywhere && draft.random().one_in(6) &&
                     known->text == shape.name;
  return again ? known->name : new_kernel(draft, place, shape);
}

bool implement(Draft& draft) {
  Random& random = draft.random();
  const std::string op = random.one_in(8) ? some_name(draft) : some_op(draft);
  const bool at_alias = random.one_in(3);
  const Place place = at_alias ? Place::kAnywhere : Place::kExact;
  Fields with{{"op", op}, {"kernel", Ref{some_kernel(draft, place, shape_of(op))}}};
  if (at_alias && random.one_in(8)) {
    with.set("device", random.of({"cpu", "cuda", "meta", "ve"}));
  } else if (!at_alias || !random.one_in(4)) {
    with.set("key", at_alias           ? any_alias(draft)
                    : random.one_in(3) ? any_key(draft)
                                       : std::string(some_key(random)));
  }
  draft.make("dispatch.impl", std::move(with), {"", "registration", Dtype::kFloat32, {}, op});
  return true;
}

bool fall_back(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"kernel", Ref{new_kernel(draft, Place::kExact, shape_of("fuzz::f.to"))}}};
  if (!random.one_in(15)) {
    with.set("key", random.one_in(12)
                        ? any_alias(draft)
                        : random.of({"TESTING_ONLY_GenericWrapper", "TESTING_ONLY_GenericMode",
                                     "AutogradXLA", "CPU", "CUDA", "Meta", "QuantizedCPU"}));
  }
  draft.make("dispatch.fallback", std::move(with), {"", "fallback"});
  return true;
}

bool typed_fallback(Draft& draft) {
  if (!draft.is_typed()) return false;
  const std::string name = draft.fresh("k");
  draft.add("dispatch.kernel",
            {{"behaviour", "return"}, {"signature", "Tensor(const Tensor&)"}, {"label", name}},
            name);
  draft.make("dispatch.fallback", {{"kernel", Ref{name}}, {"key", some_key(draft.random())}},
             {"", "fallback"});
  return true;
}

bool unregister(Draft& draft) {
  const Known* known = draft.any(draft.random().of(
      {"registration", "registration", "registration", "registration", "fallback", "kernel"}));
  if (known == nullptr) return false;
  const std::string name = known->name;
  draft.add("drop", {{"object", Ref{name}}});
  draft.forget(name);
  return true;
}

bool assign(Draft& draft) {
  const Known* to = draft.any("registration");
  const Known* from = draft.any("registration");
  if (to == nullptr || to == from) return false;
  draft.add("dispatch.assign", {{"to", Ref{to->name}}, {"from", Ref{from->name}}});
  return true;
}

/// Queries whether a kernel is alive after its name was dropped.
bool watch_kernel(Draft& draft) {
  const Known* known = draft.any("kernel");
  if (known == nullptr) return false;
  const std::string kernel = known->name;
  draft.make("weak", {{"object", Ref{kernel}}}, {"", "weak"});
  draft.add("drop", {{"object", Ref{kernel}}});
  draft.forget(kernel);
  return true;
}

bool is_gone(Draft& draft) {
  const Known* known = draft.any("weak");
  if (known == nullptr) return false;
  draft.add("gone", {{"weak", Ref{known->name}}});
  return true;
}

bool entry(Draft& draft) {
  Random& random = draft.random();
  const char* base = random.of({"f", "g"});
  const bool out = random.one_in(2);
  const std::string op = std::string("entry::") + base + (out ? ".out" : "");
  Fields with{{"func", out ? op + "(Tensor a, Tensor b, *, Tensor(a!) out) -> Tensor(a!)"
                           : op + "(Tensor a, Tensor b) -> Tensor"}};
  Dict kernels;
  if (random.below(3) > 0) kernels.items.emplace_back("CPU, CUDA", "one");
  if (random.one_in(3)) kernels.items.emplace_back("Meta", "two");
  if (random.one_in(4)) kernels.items.emplace_back("CompositeExplicitAutograd", "three");
  if (!kernels.items.empty()) with.set("dispatch", std::move(kernels));
  if (out && random.below(3) > 0) with.set("structured", true);
  if (!out && random.one_in(3)) with.set("structured_delegate", std::string(base) + ".out");
  if (random.one_in(4)) with.set("device_check", "NoCheck");
  draft.make("dispatch.entry", std::move(with), {"", "entry", Dtype::kFloat32, {}, op});
  return true;
}

bool call_entry(Draft& draft) {
  const Known* known = draft.any("entry");
  if (known == nullptr) return false;
  const std::string op = known->text;
  List args;
  for (std::size_t left = op.ends_with(".out") ? 3 : 2; left > 0; --left) {
    args.items.emplace_back(some_probe(draft));
  }
  draft.add("dispatch.call", {{"op", op}, {"args", std::move(args)}, {"boxed", true}});
  return true;
}

bool choose_autograd_fallback(Draft& draft) {
  if (draft.contract().release == Release::k1_13) return false;
  draft.add("dispatch.autograd_fallback", {{"mode", draft.random().of({"nothing", "warn"})}});
  return true;
}

const std::array kRegistrationMoves = {
    Move{"dispatch.def", 4, define},
    Move{"dispatch.impl", 14, implement},
    Move{"dispatch.fallback", 2, fall_back},
    Move{"dispatch.fallback", 1, typed_fallback},
    Move{"drop", 5, unregister},
    Move{"dispatch.assign", 1, assign},
    Move{"weak", 2, watch_kernel},
    Move{"gone", 4, is_gone},
    Move{"dispatch.entry", 2, entry},
    Move{"dispatch.call", 1, call_entry},
    Move{"dispatch.autograd_fallback", 1, choose_autograd_fallback},
};

}  // namespace

std::span<const Move> dispatch_registration_moves() { return kRegistrationMoves; }

// Libraries.

namespace {

bool open_library(Draft& draft) {
  Random& random = draft.random();
  const char* kind = random.of({"DEF", "IMPL", "IMPL", "FRAGMENT", "FRAGMENT"});
  const bool impl = kind == std::string_view("IMPL");
  // PyTorch crashes with other kinds of libraries for all namespaces, and with kernels in them.
  const bool all = impl && random.one_in(5);
  Fields with{{"kind", kind},
              {"namespace", all ? "_" : random.of({"fuzz", "fuzz", "fuzz", "other"})}};
  if (impl ? random.below(3) > 0 : random.one_in(12)) with.set("key", some_key(random));
  draft.make("dispatch.library", std::move(with),
             {"", all ? "library of all" : "library", Dtype::kFloat32, {}, kind});
  return true;
}

const Known* some_library(Draft& draft, const char* kind) {
  for (int tries = 0; tries < 6; ++tries) {
    const Known* known = draft.any("library");
    if (known != nullptr && (known->text == kind || draft.random().one_in(6))) return known;
  }
  return nullptr;
}

/// Names in a library may omit the namespace, or have a different one.
std::string name_in(Draft& draft, const std::string& op) {
  const std::string bare = op.substr(op.find("::") + 2);
  if (draft.random().one_in(12)) return "elsewhere::" + bare;
  return draft.random().one_in(2) ? bare : op;
}

bool define_inside(Draft& draft) {
  const Known* library = some_library(draft, draft.random().of({"DEF", "FRAGMENT"}));
  if (library == nullptr) return false;
  const Ref held{library->name};
  const std::string op = some_name(draft);
  const OpShape& shape = shape_of(op);
  draft.make("dispatch.def",
             {{"schema", name_in(draft, op) + "(" + shape.parameters + ") -> " + shape.returns},
              {"library", held}},
             {"", "registration", Dtype::kFloat32, {}, op});
  return true;
}

bool implement_inside(Draft& draft) {
  Random& random = draft.random();
  const Known* library = some_library(draft, "IMPL");
  if (library == nullptr) return false;
  const Ref held{library->name};
  const std::string op = some_op(draft);
  Fields with{{"op", name_in(draft, op)},
              {"kernel", Ref{new_kernel(draft, Place::kAnywhere, shape_of(op))}},
              {"library", held}};
  if (random.one_in(3)) with.set("key", some_key(random));
  draft.make("dispatch.impl", std::move(with), {"", "registration", Dtype::kFloat32, {}, op});
  return true;
}

bool fall_back_inside(Draft& draft) {
  const Known* library = draft.any(draft.random().one_in(3) ? "library" : "library of all");
  if (library == nullptr) return false;
  const Ref held{library->name};
  Fields with{{"kernel", Ref{new_kernel(draft, Place::kAnywhere, shape_of("fuzz::f.to"))}},
              {"library", held}};
  if (draft.random().one_in(2)) with.set("key", some_key(draft.random()));
  draft.make("dispatch.fallback", std::move(with), {"", "fallback"});
  return true;
}

bool reset_library(Draft& draft) {
  const Known* library = draft.any("library");
  if (library == nullptr) return false;
  draft.add("dispatch.reset_library", {{"library", Ref{library->name}}});
  return true;
}

bool move_library(Draft& draft) {
  const Known* library = draft.any("library");
  if (library == nullptr) return false;
  const std::string from = library->name;
  const std::string kind = library->text;
  draft.make("dispatch.move_library", {{"library", Ref{from}}},
             {"", "library", Dtype::kFloat32, {}, kind});
  return true;
}

bool close_library(Draft& draft) {
  const Known* library = draft.any("library");
  if (library == nullptr) return false;
  const std::string name = library->name;
  draft.add("drop", {{"object", Ref{name}}});
  draft.forget(name);
  return true;
}

const std::array kLibraryMoves = {
    Move{"dispatch.library", 3, open_library},
    Move{"dispatch.def", 2, define_inside},
    Move{"dispatch.impl", 3, implement_inside},
    Move{"dispatch.fallback", 1, fall_back_inside},
    Move{"dispatch.reset_library", 2, reset_library},
    Move{"dispatch.move_library", 2, move_library},
    Move{"drop", 1, close_library},
};

}  // namespace

std::span<const Move> dispatch_library_moves() { return kLibraryMoves; }

}  // namespace assay
