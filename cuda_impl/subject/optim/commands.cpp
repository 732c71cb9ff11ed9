// Area optim: optimizers, their steps and state, and gradient clipping.
#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/optim/clip.hpp"
#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/subject/optim/settings.hpp"
#include "cuda_impl/subject/optim/steps.hpp"

namespace assay::cuda {
namespace {

/// Accepts one group of tensors or a list of groups.
std::vector<ParamGroup> groups_argument(Call& call) {
  const std::vector<Value>& items = call.arguments().items("params");
  if (items.empty()) return {};
  std::vector<ParamGroup> groups;
  if (!items.front().is<List>()) groups.emplace_back();
  for (const Value& item : items) {
    const List* list = item.get_if<List>();
    if (list == nullptr) {
      groups.back().params.push_back(call.tensor_from(item));
      continue;
    }
    ParamGroup& group = groups.emplace_back();
    for (const Value& param : list->items) group.params.push_back(call.tensor_from(param));
  }
  return groups;
}

/// `default` leaves both settings unset.
void read_mode(Call& call, Settings& settings) {
  const std::string mode = call.arguments().text("mode", "plain");
  if (mode == "plain") return write_mode(settings, OptimizerMode::kPlain);
  if (mode == "foreach") return write_mode(settings, OptimizerMode::kForeach);
  if (mode == "fused") return write_mode(settings, OptimizerMode::kFused);
  if (mode != "default") throw NotSupported("no form of optimizers is called '" + mode + "'");
}

Settings given_settings(Call& call, std::initializer_list<const char*> known) {
  Settings given;
  for (const char* name : known) {
    if (call.has(name)) given.emplace(name, setting_from_waist(call.arguments().value(name)));
  }
  read_mode(call, given);
  return given;
}

template <typename Made, typename... Rest>
void make(Call& call, const Rest&... rest) {
  std::shared_ptr<Optimizer> made =
      std::make_shared<Made>(call.session(), groups_argument(call), rest...);
  call.result(Object(std::move(made), "optimizer"));
}

std::optional<ScalerAttribute>& attribute_argument(Call& call, Optimizer& optimizer) {
  const std::string name = call.arguments().text("name");
  if (name == "grad_scale") return optimizer.grad_scale;
  if (name == "found_inf") return optimizer.found_inf;
  throw NotSupported("no attribute of optimizers is called '" + name + "'");
}

ScalerAttribute lent_argument(Call& call) {
  const Value& value = call.arguments().value("value");
  if (value.is_none()) return {};
  if (const auto* whole = value.get_if<std::int64_t>()) return *whole;
  if (const auto* real = value.get_if<double>()) return *real;
  return call.tensor_from(value);
}

}  // namespace

void optim_sgd(Call& call) {
  make<Sgd>(call, given_settings(call, {"lr", "momentum", "dampening", "weight_decay", "nesterov",
                                        "maximize"}));
}

void optim_adam(Call& call) {
  const Settings given =
      given_settings(call, {"lr", "betas", "eps", "weight_decay", "amsgrad", "maximize"});
  make<Adam>(call, call.arguments().boolean("decoupled", false), given);
}

void optim_custom(Call& call) {
  CustomOptimizer::Traits traits;
  traits.supports_amp_scaling = call.arguments().boolean("supports_amp_scaling", false);
  traits.takes_grad_scaler = call.arguments().boolean("takes_grad_scaler", false);
  make<CustomOptimizer>(call, custom_step(call), traits);
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
  for (std::size_t i = 0; i < optimizer->params().size(); ++i) {
    Dict kept;
    for (const auto& [name, tensor] : optimizer->state(i)) {
      kept.items.emplace_back(std::string(name), tensor.defined() ? call.give(tensor) : Value());
    }
    states.items.emplace_back(std::move(kept));
  }
  call.result(Value(std::move(states)));
}

void optim_get(Call& call) {
  const auto optimizer = optimizer_argument(call);
  const std::optional<ScalerAttribute>& found = attribute_argument(call, *optimizer);
  call.set("present", found.has_value());
  const ScalerAttribute lent = found.value_or(ScalerAttribute());
  if (const auto* tensor = std::get_if<Tensor>(&lent)) return call.result(*tensor);
  if (const auto* real = std::get_if<double>(&lent)) return call.result(Value(*real));
  if (const auto* whole = std::get_if<std::int64_t>(&lent)) return call.result(Value(*whole));
  call.result(Value());
}

void optim_set(Call& call) {
  const auto optimizer = optimizer_argument(call);
  attribute_argument(call, *optimizer) = lent_argument(call);
}

void optim_calls(Call& call) { call.result(Value(optimizer_argument(call)->calls())); }

void optim_clip_grad_norm_(Call& call) {
  call.result(clip_grad_norm_(call.tensors("params"), call.arguments().real("max_norm"),
                              call.contract().release));
}

}  // namespace assay::cuda
