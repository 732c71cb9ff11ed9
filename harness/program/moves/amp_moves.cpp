// Moves of the area amp: the two operators on edge-case values.
#include <array>

#include "harness/program/moves.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

/// Usually a value of a normal training run, sometimes any value.
double factor(Random& random, std::initializer_list<double> usual) {
  return random.one_in(4) ? random_real(random) : random.of(usual);
}

bool update_scale(Draft& draft) {
  Random& random = draft.random();
  const std::int64_t interval = random.one_in(4) ? random.between(-2, 2) : 2000;
  Fields with{{"scale", factor(random, {65536.0, 1.0, 0x1p127, 0x1p-149})},
              {"tracker", interval + random.between(-2, 1)},
              {"found_inf", factor(random, {0.0, 0.0, 1.0})},
              {"growth", factor(random, {2.0, 1.0, 1.5})},
              {"backoff", factor(random, {0.5, 1.0, 0.1})},
              {"interval", interval}};
  if (random.one_in(4)) with.set("variant", random.of({"in_place", "functional", "out"}));
  draft.add("amp.update_scale", std::move(with));
  return true;
}

bool update_live(Draft& draft) {
  Random& random = draft.random();
  const Ref scale{draft.make("core.tensor", {{"value", random_tensor(random, Dtype::kFloat32, {})}},
                             {"", "tensor", Dtype::kFloat32, {}})};
  for (std::int64_t left = random.between(1, 3); left > 0; --left) {
    draft.add("amp.update_scale", {{"scale", scale},
                                   {"tracker", random.between(0, 2)},
                                   {"found_inf", random.one_in(3) ? 1.0 : 0.0},
                                   {"growth", 2.0},
                                   {"backoff", 0.5},
                                   {"interval", 3}});
  }
  return true;
}

bool unscale(Draft& draft) {
  Random& random = draft.random();
  List grads;
  const Dtype dtype = random_float_dtype(random);
  bool may_be_named = true;
  for (std::int64_t left = random.between(0, 4); left > 0; --left) {
    const Dtype own = random.one_in(8) ? random_dtype(random) : dtype;
    const bool is_named = random.one_in(4) && may_be_named;
    grads.items.push_back(is_named ? Value(some_tensor(draft))
                                   : Value(random_tensor(random, own, random_shape(random))));
    // Two could share memory, which a GPU's threads would then multiply in any order.
    if (is_named) may_be_named = !draft.is_on_gpu();
  }
  Fields with{{"grads", std::move(grads)},
              {"found_inf", factor(random, {0.0, 0.0, 1.0})},
              {"inv_scale", factor(random, {1.0, 0.5, 0x1p-16})}};
  if (random.one_in(4)) with.set("variant", random.of({"in_place", "functional"}));
  draft.add("amp.unscale", std::move(with));
  return true;
}

Ref named_tensor(Draft& draft, const TensorValue& value) {
  const Known known{"", "tensor", value.dtype, value.shape};
  return Ref{draft.make("core.tensor", {{"value", value}}, known)};
}

/// A step as a graph, replayed with different gradients, inverse scales and flags.
bool captured(Draft& draft) {
  if (!draft.contract().cuda()) return false;
  Random& random = draft.random();
  const Dtype dtype = random.of({Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat16});
  const std::vector<std::int64_t> shape = random_shape(random);
  const Ref grad = named_tensor(draft, random_tensor(random, dtype, shape));
  const Ref flag = named_tensor(draft, random_tensor(random, Dtype::kFloat32, {}));
  const Ref inverse = named_tensor(draft, random_tensor(random, Dtype::kFloat32, {}));
  const Ref scale = named_tensor(draft, random_tensor(random, Dtype::kFloat32, {}));
  const Ref tracker = named_tensor(draft, random_tensor(random, Dtype::kInt32, {}));
  const Ref graph{draft.make("graph.new", {}, {"", "graph"})};
  draft.add("graph.begin", {{"graph", graph}});
  draft.add("amp.unscale", {{"grads", List{{grad}}}, {"found_inf", flag}, {"inv_scale", inverse}});
  draft.add("amp.update_scale", {{"scale", scale},
                                 {"tracker", tracker},
                                 {"found_inf", flag},
                                 {"growth", factor(random, {2.0, 1.5})},
                                 {"backoff", factor(random, {0.5, 0.1})},
                                 {"interval", random.between(-1, 2)}});
  draft.add("graph.end", {{"graph", graph}});
  for (std::int64_t left = random.between(1, 3); left > 0; --left) {
    draft.add("core.copy_", {{"dst", grad}, {"src", random_tensor(random, dtype, shape)}});
    if (random.one_in(2)) draft.add("core.fill_", {{"tensor", flag}, {"value", 0.0}});
    if (random.one_in(2)) draft.add("core.fill_", {{"tensor", inverse}, {"value", 0.25}});
    draft.add("graph.replay", {{"graph", graph}});
    for (const Ref& shown : {grad, flag, scale, tracker}) {
      draft.add("core.read", {{"tensor", shown}});
    }
  }
  return true;
}

const std::array kMoves = {
    Move{"amp.update_scale", 4, update_scale},
    Move{"amp.update_scale", 2, update_live},
    Move{"amp.unscale", 6, unscale},
    Move{"graph.replay", 2, captured},
};

}  // namespace

std::span<const Move> amp_moves() { return kMoves; }

}  // namespace assay
