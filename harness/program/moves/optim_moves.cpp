// Moves of the area optim: optimizers and parameters with gradients.
#include <array>

#include "harness/program/moves/table.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

/// One to three leaves of one type, with or without gradients. For Adam, their `kind` is unknown to
/// other moves, because the last bits of its results are unspecified.
List parameters(Draft& draft, std::string_view kind = "tensor") {
  Random& random = draft.random();
  const Dtype dtype = random_float_dtype(random);
  List list;
  for (std::int64_t left = random.between(1, 3); left > 0; --left) {
    const std::vector<std::int64_t> shape{random.between(1, 3)};
    const Ref leaf{draft.make(
        "core.tensor", {{"value", small_tensor(random, dtype, shape)}, {"requires_grad", true}},
        {"", std::string(kind), dtype, shape})};
    if (random.below(5) > 0) {
      draft.add("core.set_grad", {{"tensor", leaf}, {"grad", random_tensor(random, dtype, shape)}});
    }
    list.items.emplace_back(leaf);
  }
  return list;
}

/// Occasionally in groups, or with a duplicate parameter. Only for the loop implementation, because
/// the result on a device is unspecified otherwise (OPT-020).
List grouped(Draft& draft, List params, bool is_loop) {
  Random& random = draft.random();
  if (is_loop && random.one_in(12)) params.items.push_back(params.items.front());
  if (!random.one_in(5)) return params;
  List groups;
  groups.items.emplace_back(std::move(params));
  if (random.one_in(2)) groups.items.emplace_back(parameters(draft));
  return groups;
}

/// Usually a valid value.
double setting(Random& random, std::initializer_list<double> usual) {
  return random.one_in(12) ? random.of({-1.0, 0.0, -0.0, 1e300}) : random.of(usual);
}

bool sgd(Draft& draft) {
  Random& random = draft.random();
  const std::string mode =
      random.one_in(2) ? std::string(random.of({"plain", "foreach", "fused"})) : std::string();
  const bool is_loop = mode.empty() || mode == "plain";
  Fields with{{"params", grouped(draft, parameters(draft), is_loop)},
              {"lr", setting(random, {1.0, 0.5, 0.25})}};
  if (!mode.empty()) with.set("mode", mode);
  if (random.one_in(2)) with.set("momentum", setting(random, {0.5, 0.0, 0.9}));
  if (random.one_in(4)) with.set("dampening", setting(random, {0.5, 0.25}));
  if (random.one_in(3)) with.set("weight_decay", setting(random, {0.5, 0.1}));
  if (random.one_in(6)) with.set("nesterov", true);
  if (random.one_in(4)) with.set("maximize", true);
  draft.make("optim.sgd", std::move(with), {"", "optimizer"});
  return true;
}

/// Tests arguments and errors, and when steps are counted; the results are never read.
bool adam(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"params", parameters(draft, "adam parameter")},
              {"lr", setting(random, {0.5, 0.001})}};
  if (random.one_in(3)) {
    with.set("betas", List{{setting(random, {0.9, 0.5}), setting(random, {0.999, 0.5})}});
  }
  if (random.one_in(4)) with.set("eps", setting(random, {1e-8, 1.0}));
  if (random.one_in(3)) with.set("weight_decay", setting(random, {0.5, 0.1}));
  if (random.one_in(3)) with.set("decoupled", random.one_in(2));
  if (random.one_in(4)) with.set("amsgrad", true);
  if (random.one_in(4)) with.set("maximize", true);
  if (random.one_in(2)) with.set("mode", random.of({"plain", "foreach", "fused"}));
  const std::string name = draft.make("optim.adam", std::move(with), {"", "adam"});
  draft.add("optim.step", {{"optimizer", Ref{name}}});
  draft.add("optim.calls", {{"optimizer", Ref{name}}});
  return true;
}

/// A step that writes a tensor and returns a number.
bool custom(Draft& draft) {
  Random& random = draft.random();
  List params = parameters(draft);
  const Value written = params.items.front();
  Command command;
  command.verb = "callback";
  command.as = draft.fresh("c");
  command.body = draft.block(
      [&] {
        draft.add("core.fill_", {{"tensor", written}, {"value", 1}});
        draft.add("value", {{"value", 5}});
      },
      true);
  Fields with{{"params", std::move(params)}, {"step", Callable{command.as}}};
  draft.add(std::move(command));
  if (random.one_in(3)) with.set("supports_amp_scaling", true);
  if (random.one_in(3)) with.set("takes_grad_scaler", true);
  draft.make("optim.custom", std::move(with), {"", "optimizer"});
  return true;
}

Ref some_optimizer(Draft& draft) {
  if (draft.any("optimizer") == nullptr) sgd(draft);
  return Ref{draft.any("optimizer")->name};
}

bool zero_grad(Draft& draft) {
  Fields with{{"optimizer", some_optimizer(draft)}};
  if (draft.random().one_in(2)) with.set("set_to_none", draft.random().one_in(2));
  draft.add("optim.zero_grad", std::move(with));
  return true;
}

/// A float32 tensor of one element, the form of scale and flag for fused steps.
Value some_one(Random& random) {
  TensorValue one = small_tensor(random, Dtype::kFloat32, {});
  one.set_bits(0, random.of({0x3f800000u, 0x40000000u, 0u}));
  return one;
}

bool set(Draft& draft) {
  Random& random = draft.random();
  draft.add("optim.set", {{"optimizer", some_optimizer(draft)},
                          {"name", random.of({"grad_scale", "found_inf"})},
                          {"value", random.one_in(3) ? Value() : some_one(random)}});
  return true;
}

/// Uses one element, so that the norm is exact.
bool clip(Draft& draft) {
  Random& random = draft.random();
  const Dtype dtype = random_float_dtype(random);
  const Ref leaf{draft.make("core.tensor",
                            {{"value", small_tensor(random, dtype, {1})}, {"requires_grad", true}},
                            {"", "tensor", dtype, {1}})};
  if (!random.one_in(6)) {
    draft.add("core.set_grad", {{"tensor", leaf}, {"grad", random_tensor(random, dtype, {1})}});
  }
  draft.add("optim.clip_grad_norm_",
            {{"params", List{{leaf}}}, {"max_norm", random.of({1.0, 0.5, 100.0, 0.0})}});
  draft.add("core.grad", {{"tensor", leaf}});
  return true;
}

constexpr std::array kKinds = {
    DrawKind{"optimizer", [](Draft& draft) -> Value { return some_optimizer(draft); }},
};

const std::array kMoves = {
    Move{"optim.sgd", 4, sgd},
    Move{"optim.adam", 2, adam},
    Move{"optim.custom", 1, custom},
    Move{"optim.set", 1, set},
    Move{"optim.clip_grad_norm_", 1, clip},
    Move{"optim.zero_grad", 1, zero_grad},
};

}  // namespace

std::span<const Move> optim_moves() {
  static const std::vector<Move> kAll = with_table("optim", kKinds, kMoves);
  return kAll;
}

}  // namespace assay
