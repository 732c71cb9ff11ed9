// Moves of the area dispatch: queries of registrations.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {
namespace {

bool find_or_throw(Draft& draft) {
  const std::string op = some_name(draft);
  const std::size_t dot = op.rfind('.');
  const bool overloaded = !draft.random().one_in(6);
  draft.make("dispatch.find_or_throw",
             {{"name", op.substr(0, dot)}, {"overload", overloaded ? op.substr(dot + 1) : ""}},
             {"", "handle", Dtype::kFloat32, {}, op});
  return true;
}

bool list_registrations(Draft& draft) {
  Fields with{{"namespace", "fuzz"}};
  if (draft.random().below(3) > 0) with.set("key", any_key(draft));
  draft.add("dispatch.registrations", std::move(with));
  return true;
}

bool has_kernel(Draft& draft) {
  const std::string op = some_op(draft);
  Fields with{{"op", op}};
  switch (draft.random().below(3)) {
    case 0:
      with.set("key", any_key(draft));
      break;
    case 1:
      with.set("computed", any_key(draft));
      break;
    default:
      with.set("any", any_keys(draft));
  }
  draft.add("dispatch.has_kernel", std::move(with));
  return true;
}

const std::array kMoves = {
    Move{"dispatch.find_or_throw", 1, find_or_throw},
    Move{"dispatch.registrations", 1, list_registrations},
    Move{"dispatch.has_kernel", 4, has_kernel},
};

}  // namespace

std::span<const Move> dispatch_ask_moves() { return kMoves; }

}  // namespace assay
