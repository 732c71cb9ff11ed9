// Moves of the area scaler: training steps in and out of order.
#include <array>

#include "harness/program/moves.hpp"
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

/// A gradient descent over one leaf with a gradient, made when there is none or at whim.
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

/// Containers in containers; of dicts and numbers nothing is scaled.
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

template <const char* const& verb>
bool with_optimizer(Draft& draft) {
  const Ref scaler = some_scaler(draft);
  draft.add(verb, {{"scaler", scaler}, {"optimizer", some_optimizer(draft)}});
  return true;
}
constexpr const char* kUnscale = "scaler.unscale_";
constexpr const char* kStep = "scaler.step";
constexpr const char* kStage = "scaler.stage";
constexpr const char* kFoundInf = "scaler.found_inf";
constexpr const char* kCheckInf = "scaler.check_inf";

template <const char* const& verb>
bool ask(Draft& draft) {
  draft.add(verb, {{"scaler", some_scaler(draft)}});
  return true;
}
constexpr const char* kGetScale = "scaler.get_scale";
constexpr const char* kGetTracker = "scaler.get_growth_tracker";
constexpr const char* kGetInterval = "scaler.get_growth_interval";
constexpr const char* kStateDict = "scaler.state_dict";
constexpr const char* kGetGrowth = "scaler.get_growth_factor";
constexpr const char* kGetBackoff = "scaler.get_backoff_factor";
constexpr const char* kIsEnabled = "scaler.is_enabled";
constexpr const char* kTensors = "scaler.tensors";

bool update(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"scaler", some_scaler(draft)}};
  if (random.one_in(6)) with.set("new_scale", random.of({1.0, 1024.0}));
  draft.add("scaler.update", std::move(with));
  return true;
}

bool set_growth_factor(Draft& draft) {
  draft.add("scaler.set_growth_factor",
            {{"scaler", some_scaler(draft)}, {"value", draft.random().of({2.0, 3.0, 1.0})}});
  return true;
}

bool set_interval(Draft& draft) {
  draft.add("scaler.set_growth_interval",
            {{"scaler", some_scaler(draft)}, {"value", draft.random().between(1, 3)}});
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

bool set_backoff_factor(Draft& draft) {
  draft.add("scaler.set_backoff_factor",
            {{"scaler", some_scaler(draft)}, {"value", draft.random().of({0.5, 0.25, 1.0})}});
  return true;
}

template <const char* const& verb>
bool copied(Draft& draft) {
  draft.make(verb, {{"scaler", some_scaler(draft)}}, {"", "scaler"});
  return true;
}
constexpr const char* kDeepcopy = "scaler.deepcopy";
constexpr const char* kPickle = "scaler.pickle";

/// Whole, or without one entry, or with nothing in it.
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

/// Two parameters of different types, one of which may be a half, which cannot be unscaled.
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

/// One that knows of scalers, in one way or another.
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

constexpr std::array kMoves = {
    Move{"scaler.new", 1, make},
    Move{"scaler.scale", 3, scale},
    Move{"core.set_grad", 3, new_gradient},
    Move{"core.read", 2, read_parameter},
    Move{"scaler.unscale_", 3, with_optimizer<kUnscale>},
    Move{"scaler.step", 4, with_optimizer<kStep>},
    Move{"scaler.stage", 1, with_optimizer<kStage>},
    Move{"scaler.found_inf", 1, with_optimizer<kFoundInf>},
    Move{"scaler.update", 4, update},
    Move{"scaler.step", 3, training_step},
    Move{"scaler.get_scale", 2, ask<kGetScale>},
    Move{"scaler.get_growth_tracker", 1, ask<kGetTracker>},
    Move{"scaler.get_growth_interval", 1, ask<kGetInterval>},
    Move{"scaler.state_dict", 1, ask<kStateDict>},
    Move{"scaler.set_growth_factor", 1, set_growth_factor},
    Move{"scaler.set_growth_interval", 1, set_interval},
    Move{"scaler.set_backoff_factor", 1, set_backoff_factor},
    Move{"scaler.get_growth_factor", 1, ask<kGetGrowth>},
    Move{"scaler.get_backoff_factor", 1, ask<kGetBackoff>},
    Move{"scaler.is_enabled", 1, ask<kIsEnabled>},
    Move{"scaler.tensors", 1, ask<kTensors>},
    Move{"scaler.check_inf", 1, with_optimizer<kCheckInf>},
    Move{"scaler.deepcopy", 1, copied<kDeepcopy>},
    Move{"scaler.pickle", 1, copied<kPickle>},
    Move{"scaler.load_state_dict", 2, load},
    Move{"optim.sgd", 1, mixed_optimizer},
    Move{"optim.sgd", 1, fused_optimizer},
};

}  // namespace

std::span<const Move> scaler_moves() { return kMoves; }

}  // namespace assay
