// Moves of the area scaler: training steps, also with calls in the wrong order.
#include <array>

#include "harness/program/moves/table.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

bool make(Draft& draft) {
  Random& random = draft.random();
  Fields with;
  if (random.one_in(2)) with.set("init_scale", random.of({8.0, 1.0, 0x1p126, 0x1p-148}));
  if (random.one_in(3)) with.set("growth_factor", random.of({2.0, 4.0, 1.0}));
  if (random.one_in(3)) with.set("backoff_factor", random.of({0.5, 0.25, 1.0}));
  if (random.below(4) > 0) with.set("growth_interval", random.between(1, 3));
  if (random.one_in(10)) with.set("enabled", false);
  draft.make("scaler.new", std::move(with), {"", "scaler"});
  return true;
}

Ref some_scaler(Draft& draft) {
  if (draft.any("scaler") == nullptr) make(draft);
  return Ref{draft.any("scaler")->name};
}

/// Gradient descent on one leaf with a gradient; sometimes, or if there is none, a new one.
Ref some_optimizer(Draft& draft) {
  if (const Known* known = draft.any("optimizer"); known != nullptr && !draft.random().one_in(6)) {
    return Ref{known->name};
  }
  Random& random = draft.random();
  const Dtype dtype = random.of({Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat64});
  const std::string leaf = draft.make(
      "core.tensor", {{"value", small_tensor(random, dtype, {2})}, {"requires_grad", true}},
      {"", "parameter", dtype, {2}});
  List params;
  params.items.emplace_back(Ref{leaf});
  const std::string name =
      draft.make("optim.sgd", {{"params", std::move(params)}, {"lr", 0.5}}, {"", "optimizer"});
  return Ref{name};
}

/// Nested containers; dicts and numbers in them are not scaled.
Value nested(Random& random, const Value& one) {
  switch (random.below(5)) {
    case 0:
      return Tuple{{one, List{{one}}}};
    case 1:
      return List{};
    case 2:
      return Tuple{{one, Value(1)}};
    case 3:
      return Dict{{{"loss", one}}};
    default:
      return List{{one, Tuple{{small_tensor(random, random_float_dtype(random), {1})}}}};
  }
}

bool scale(Draft& draft) {
  Random& random = draft.random();
  const Ref scaler = some_scaler(draft);
  const Value one = small_tensor(random, Dtype::kFloat32, {});
  Value outputs = one;
  if (random.one_in(4)) outputs = List{{one, small_tensor(random, Dtype::kFloat16, {2})}};
  if (random.one_in(6)) outputs = nested(random, one);
  if (random.one_in(12)) outputs = Value("no tensor");
  draft.add("scaler.scale", {{"scaler", scaler}, {"outputs", std::move(outputs)}});
  return true;
}

bool new_gradient(Draft& draft) {
  some_optimizer(draft);
  const Known* leaf = draft.any("parameter");
  if (leaf == nullptr) return false;
  Random& random = draft.random();
  const bool bad = random.one_in(4);
  const TensorValue grad = bad ? random_tensor(random, leaf->dtype, leaf->shape)
                               : small_tensor(random, leaf->dtype, leaf->shape);
  draft.add("core.set_grad", {{"tensor", Ref{leaf->name}}, {"grad", grad}});
  return true;
}

bool read_parameter(Draft& draft) {
  const Known* leaf = draft.any("parameter");
  if (leaf == nullptr) return false;
  draft.add(draft.random().one_in(2) ? "core.read" : "core.grad", {{"tensor", Ref{leaf->name}}});
  return true;
}

bool update(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"scaler", some_scaler(draft)}};
  if (random.one_in(6)) with.set("new_scale", random.of({1.0, 1024.0}));
  draft.add("scaler.update", std::move(with));
  return true;
}

bool training_step(Draft& draft) {
  const Ref scaler = some_scaler(draft);
  const Ref optimizer = some_optimizer(draft);
  new_gradient(draft);
  draft.add("scaler.scale",
            {{"scaler", scaler}, {"outputs", small_tensor(draft.random(), Dtype::kFloat32, {})}});
  if (draft.random().one_in(2)) {
    draft.add("scaler.unscale_", {{"scaler", scaler}, {"optimizer", optimizer}});
  }
  draft.add("scaler.step", {{"scaler", scaler}, {"optimizer", optimizer}});
  draft.add("scaler.update", {{"scaler", scaler}});
  return true;
}

/// Complete, or without one entry, or empty.
bool load(Draft& draft) {
  Random& random = draft.random();
  Dict state{{{"scale", random.of({1024.0, 2.0})},
              {"growth_factor", random.of({2.0, 3.0})},
              {"backoff_factor", 0.5},
              {"growth_interval", random.between(1, 4)},
              {"_growth_tracker", random.between(0, 3)}}};
  if (random.one_in(6)) state.items.clear();
  if (random.one_in(6) && !state.items.empty()) {
    state.items.erase(state.items.begin() +
                      static_cast<std::ptrdiff_t>(random.below(state.items.size())));
  }
  draft.add("scaler.load_state_dict",
            {{"scaler", some_scaler(draft)}, {"state", std::move(state)}});
  return true;
}

/// Two parameters of different types, one possibly half precision, which cannot be unscaled.
bool mixed_optimizer(Draft& draft) {
  Random& random = draft.random();
  List params;
  for (int left = 2; left > 0; --left) {
    const Dtype dtype = random_float_dtype(random);
    const Ref leaf{draft.make(
        "core.tensor", {{"value", small_tensor(random, dtype, {2})}, {"requires_grad", true}},
        {"", "parameter", dtype, {2}})};
    if (!random.one_in(4)) {
      draft.add("core.set_grad", {{"tensor", leaf}, {"grad", random_tensor(random, dtype, {2})}});
    }
    params.items.emplace_back(leaf);
  }
  draft.make("optim.sgd", {{"params", std::move(params)}, {"lr", 0.5}}, {"", "optimizer"});
  return true;
}

/// An optimizer that supports scalers, in one of several ways.
bool fused_optimizer(Draft& draft) {
  Random& random = draft.random();
  const Ref leaf{
      draft.make("core.tensor",
                 {{"value", small_tensor(random, Dtype::kFloat32, {2})}, {"requires_grad", true}},
                 {"", "parameter", Dtype::kFloat32, {2}})};
  draft.make("optim.sgd", {{"params", List{{leaf}}}, {"lr", 0.5}, {"mode", "fused"}},
             {"", "optimizer"});
  return true;
}

constexpr std::array kKinds = {
    DrawKind{"scaler", [](Draft& draft) -> Value { return some_scaler(draft); }},
    DrawKind{"optimizer", [](Draft& draft) -> Value { return some_optimizer(draft); }},
};

const std::array kMoves = {
    Move{"scaler.new", 1, make},
    Move{"scaler.scale", 3, scale},
    Move{"core.set_grad", 3, new_gradient},
    Move{"core.read", 2, read_parameter},
    Move{"scaler.update", 4, update},
    Move{"scaler.step", 3, training_step},
    Move{"scaler.load_state_dict", 2, load},
    Move{"optim.sgd", 1, mixed_optimizer},
    Move{"optim.sgd", 1, fused_optimizer},
};

}  // namespace

std::span<const Move> scaler_moves() {
  static const std::vector<Move> kAll = with_table("scaler", kKinds, kMoves);
  return kAll;
}

}  // namespace assay
