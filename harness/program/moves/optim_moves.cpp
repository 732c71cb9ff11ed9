// Moves of the area optim: optimizers over parameters with gradients.
#include <array>

#include "harness/program/moves.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

/// One to three leaves of one type, each with a gradient of whole numbers or none.
List parameters(Draft& draft) {
  Random& random = draft.random();
  const Dtype dtype = random_float_dtype(random);
  List list;
  for (std::int64_t left = random.between(1, 3); left > 0; --left) {
    const std::vector<std::int64_t> shape{random.between(1, 3)};
    const Ref leaf{draft.make(
        "core.tensor", {{"value", small_tensor(random, dtype, shape)}, {"requires_grad", true}},
        {"", "tensor", dtype, shape})};
    if (random.below(5) > 0) {
      draft.add("core.set_grad", {{"tensor", leaf}, {"grad", random_tensor(random, dtype, shape)}});
    }
    list.items.emplace_back(leaf);
  }
  return list;
}

bool sgd(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"params", parameters(draft)}, {"lr", random.of({1.0, 0.5, 0.25})}};
  if (random.one_in(3)) with.set("momentum", random.of({0.5, 0.0}));
  if (random.one_in(4)) with.set("maximize", true);
  if (random.one_in(2)) with.set("mode", random.of({"plain", "foreach"}));
  draft.make("optim.sgd", std::move(with), {"", "optimizer"});
  return true;
}

Ref some_optimizer(Draft& draft) {
  if (draft.any("optimizer") == nullptr) sgd(draft);
  return Ref{draft.any("optimizer")->name};
}

bool step(Draft& draft) {
  draft.add("optim.step", {{"optimizer", some_optimizer(draft)}});
  return true;
}

bool zero_grad(Draft& draft) {
  Fields with{{"optimizer", some_optimizer(draft)}};
  if (draft.random().one_in(2)) with.set("set_to_none", draft.random().one_in(2));
  draft.add("optim.zero_grad", std::move(with));
  return true;
}

bool calls(Draft& draft) {
  draft.add("optim.calls", {{"optimizer", some_optimizer(draft)}});
  return true;
}

constexpr std::array kMoves = {
    Move{"optim.sgd", 2, sgd},
    Move{"optim.step", 4, step},
    Move{"optim.zero_grad", 1, zero_grad},
    Move{"optim.calls", 1, calls},
};

}  // namespace

std::span<const Move> optim_moves() { return kMoves; }

}  // namespace assay
