// Moves of the area dispatch: listeners and observers.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
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

const std::array kMoves = {
    Move{"dispatch.listen", 1, listen},
    Move{"dispatch.observe", 1, observe},
    Move{"dispatch.events", 3, events},
    Move{"drop", 1, stop_watching},
};

}  // namespace

std::span<const Move> dispatch_watch_moves() { return kMoves; }

}  // namespace assay
