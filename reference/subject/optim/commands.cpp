// Area optim: optimizers with their steps and state, and clipping.
#include "reference/subject/optim/commands.hpp"

#include "reference/optim/adam.hpp"
#include "reference/optim/clip.hpp"
#include "reference/optim/sgd.hpp"
#include "reference/subject/steps.hpp"

namespace assay::reference {
namespace {

/// A list of references is a single group; a list of lists has one group for each.
std::vector<ParamGroup> groups_argument(Call& call) {
  std::vector<ParamGroup> groups;
  ParamGroup loose;
  for (const Value& item : call.arguments().items("params")) {
    const List* list = item.get_if<List>();
    if (list == nullptr) {
      loose.params.push_back(call.tensor_from(item));
      continue;
    }
    ParamGroup& group = groups.emplace_back();
    for (const Value& param : list->items) group.params.push_back(call.tensor_from(param));
  }
  if (!loose.params.empty()) groups.insert(groups.begin(), std::move(loose));
  return groups;
}

/// Empty for `default`: PyTorch then selects the mode.
void read_mode(Call& call, Settings& settings) {
  const std::string mode = call.arguments().text("mode", "plain");
  if (mode == "default") return;
  if (mode == "plain") return set_mode(settings, OptimizerMode::kPlain);
  if (mode == "foreach") return set_mode(settings, OptimizerMode::kForeach);
  if (mode == "fused") return set_mode(settings, OptimizerMode::kFused);
  throw NotSupported("no mode '" + mode + "'");
}

/// The settings among `names` that the client gave, unconverted, and the mode.
Settings settings_argument(Call& call, std::initializer_list<const char*> names) {
  Settings settings;
  for (const char* name : names) {
    if (call.has(name)) settings.set(name, setting_from(call.arguments().value(name)));
  }
  read_mode(call, settings);
  return settings;
}

void give(Call& call, std::shared_ptr<Optimizer> optimizer) {
  call.result(Object(std::move(optimizer), "optimizer"));
}

std::optional<ScalerAttribute>& attribute(Call& call, Optimizer& optimizer) {
  const std::string name = call.arguments().text("name");
  if (name == "grad_scale") return optimizer.grad_scale;
  if (name == "found_inf") return optimizer.found_inf;
  throw NotSupported("no attribute '" + name + "'");
}

ScalerAttribute attribute_value(Call& call) {
  const Value& value = call.arguments().value("value");
  if (value.is_none()) return std::monostate{};
  if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
  if (const auto* real = value.get_if<double>()) return *real;
  return call.tensor_from(value);
}

}  // namespace

void optim_sgd(Call& call) {
  const Settings given = settings_argument(
      call, {"lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize"});
  give(call, std::make_shared<Sgd>(call.runtime(), groups_argument(call), given));
}

void optim_adam(Call& call) {
  const Settings given =
      settings_argument(call, {"lr", "betas", "eps", "weight_decay", "amsgrad", "maximize"});
  const bool is_decoupled = call.arguments().boolean("decoupled", false);
  const auto kind = is_decoupled ? Adam::Kind::kAdamW : Adam::Kind::kAdam;
  give(call, std::make_shared<Adam>(call.runtime(), groups_argument(call), kind, given));
}

void optim_custom(Call& call) {
  const Value& step = call.arguments().value("step");
  if (!step.is<Callable>()) throw InvalidArgument("step must be something callable");
  const CustomOptimizer::Traits traits = {call.arguments().boolean("supports_amp_scaling", false),
                                          call.arguments().boolean("takes_grad_scaler", false)};
  give(call, std::make_shared<CustomOptimizer>(call.runtime(), groups_argument(call),
                                               std::any(step), traits));
}

void optim_step(Call& call) {
  set_step_result(call, optimizer_argument(call)->step(step_call(call)));
}

void optim_zero_grad(Call& call) {
  std::optional<bool> set_to_none;
  if (call.has("set_to_none")) set_to_none = call.arguments().boolean("set_to_none");
  optimizer_argument(call)->zero_grad(set_to_none);
}

void optim_state(Call& call) {
  const auto optimizer = optimizer_argument(call);
  List states;
  for (const Tensor& param : optimizer->params()) {
    Dict dict;
    for (const auto& [name, tensor] : optimizer->state_of(param).tensors()) {
      dict.items.emplace_back(name, tensor.defined() ? call.give(tensor) : Value(None{}));
    }
    states.items.emplace_back(std::move(dict));
  }
  call.result(Value(std::move(states)));
}

void optim_get(Call& call) {
  const auto optimizer = optimizer_argument(call);
  const std::optional<ScalerAttribute>& found = attribute(call, *optimizer);
  call.set("present", found.has_value());
  if (!found) return call.result(Value(None{}));
  if (const auto* tensor = std::get_if<Tensor>(&*found)) return call.result(*tensor);
  call.result(to_value(call, *found));
}

void optim_set(Call& call) {
  const auto optimizer = optimizer_argument(call);
  attribute(call, *optimizer) = attribute_value(call);
}

void optim_calls(Call& call) { call.result(Value(optimizer_argument(call)->calls())); }

void optim_clip_grad_norm_(Call& call) {
  const double max_norm = call.arguments().real("max_norm");
  call.result(clip_grad_norm_(call.runtime(), call.tensors("params"), max_norm));
}

}  // namespace assay::reference
