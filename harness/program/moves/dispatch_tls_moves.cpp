// Moves of the area dispatch: thread-local included and excluded keys.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
namespace {

bool show(Draft& draft) {
  draft.add("dispatch.tls", {});
  return true;
}

/// Some guards are named, so that they can be left out of order.
bool guard(Draft& draft, const char* verb, Fields with) {
  if (!draft.random().one_in(3)) {
    draft.add(verb, std::move(with));
  } else {
    draft.make(verb, std::move(with), {"", "guard"});
  }
  return true;
}

bool include(Draft& draft) {
  return guard(draft, "dispatch.include", {{"keys", some_set(draft.random())}});
}

bool exclude(Draft& draft) {
  return guard(draft, "dispatch.exclude", {{"keys", some_set(draft.random())}});
}

bool force(Draft& draft) {
  List included = some_set(draft.random());
  List excluded = some_set(draft.random());
  return guard(draft, "dispatch.force",
               {{"included", std::move(included)}, {"excluded", std::move(excluded)}});
}

bool below(Draft& draft) {
  const char* what = draft.random().of({"autograd", "ADInplaceOrView", "inference_mode"});
  return guard(draft, "dispatch.below", {{"what", what}});
}

bool restore(Draft& draft) {
  const Known* state = draft.any("state");
  if (state == nullptr) return include(draft);
  return guard(draft, "dispatch.restore", {{"state", Ref{state->name}}});
}

/// The first of two guards ends before the second.
bool cross(Draft& draft) {
  const std::string first = draft.fresh("g");
  const std::string second = draft.fresh("g");
  Command command;
  command.verb = "scope";
  command.enter = draft.block([&] {
    draft.add("dispatch.include", {{"keys", some_set(draft.random(), 2)}}, first);
    draft.add(draft.random().of({"dispatch.include", "dispatch.exclude"}),
              {{"keys", some_set(draft.random(), 2)}}, second);
  });
  command.body = draft.block([&] {
    draft.add("leave", {{"guard", Ref{first}}});
    show(draft);
  });
  draft.add(std::move(command));
  show(draft);
  return true;
}

const std::array kMoves = {
    Move{"dispatch.tls", 3, show},
    Move{"dispatch.include", 2, include, true},
    Move{"dispatch.exclude", 2, exclude, true},
    Move{"dispatch.force", 1, force, true},
    Move{"dispatch.below", 1, below, true},
    Move{"dispatch.restore", 1, restore, true},
    Move{"leave", 2, cross},
};

}  // namespace

std::span<const Move> dispatch_tls_moves() { return kMoves; }

}  // namespace assay
