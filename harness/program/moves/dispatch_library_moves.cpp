// Moves of the area dispatch: libraries and their restrictions.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
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

const std::array kMoves = {
    Move{"dispatch.library", 3, open_library},
    Move{"dispatch.def", 2, define_inside},
    Move{"dispatch.impl", 3, implement_inside},
    Move{"dispatch.fallback", 1, fall_back_inside},
    Move{"dispatch.reset_library", 2, reset_library},
    Move{"dispatch.move_library", 2, move_library},
    Move{"drop", 1, close_library},
};

}  // namespace

std::span<const Move> dispatch_library_moves() { return kMoves; }

}  // namespace assay
