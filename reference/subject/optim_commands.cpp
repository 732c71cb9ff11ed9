// Area optim: optimizers, their steps and state, and clipping.
#include "reference/optim/adam.hpp"
#include "reference/optim/clip.hpp"
#include "reference/optim/sgd.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/steps.hpp"

namespace assay::reference {
namespace {

/// A list of references is one group; a list of lists has a group each.
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

OptimizerMode mode_argument(Call& call) {
  const std::string mode = call.arguments().text("mode", "plain");
  if (mode == "plain") return OptimizerMode::kPlain;
  if (mode == "foreach") return OptimizerMode::kForeach;
  if (mode == "fused") return OptimizerMode::kFused;
  throw NotSupported("no mode '" + mode + "'");
}

void give(Call& call, std::shared_ptr<Optimizer> optimizer) {
  call.result(Object::of(std::move(optimizer), "optimizer"));
}

void sgd(Call& call) {
  Arguments& given = call.arguments();
  const SgdOptions options = {.lr = given.real("lr"),
                              .momentum = given.real("momentum", 0),
                              .dampening = given.real("dampening", 0),
                              .weight_decay = given.real("weight_decay", 0),
                              .nesterov = given.boolean("nesterov", false),
                              .maximize = given.boolean("maximize", false),
                              .mode = mode_argument(call)};
  give(call, std::make_shared<Sgd>(call.runtime(), groups_argument(call), options));
}

double number_of(const Value& value) {
  if (const auto* real = value.get_if<double>()) return *real;
  if (const auto* integer = value.get_if<std::int64_t>()) return static_cast<double>(*integer);
  throw InvalidArgument("a number was expected, not " + std::string(kind_of(value)));
}

void read_betas(Call& call, AdamOptions& options) {
  if (!call.has("betas")) return;
  const std::vector<Value>& betas = call.arguments().items("betas");
  if (betas.size() != 2) throw InvalidArgument("betas must be two numbers");
  options.beta1 = number_of(betas[0]);
  options.beta2 = number_of(betas[1]);
}

void adam(Call& call) {
  Arguments& given = call.arguments();
  AdamOptions options;
  options.lr = given.real("lr");
  options.eps = given.real("eps", options.eps);
  options.decoupled = given.boolean("decoupled", false);
  options.weight_decay = given.real("weight_decay", options.decoupled ? 0.01 : 0);
  options.amsgrad = given.boolean("amsgrad", false);
  options.maximize = given.boolean("maximize", false);
  options.mode = mode_argument(call);
  read_betas(call, options);
  give(call, std::make_shared<Adam>(call.runtime(), groups_argument(call), options));
}

void custom(Call& call) {
  const Value& step = call.arguments().value("step");
  if (!step.is<Callable>()) throw InvalidArgument("step must be something callable");
  const CustomOptimizer::Traits traits = {call.arguments().boolean("supports_amp_scaling", false),
                                          call.arguments().boolean("takes_grad_scaler", false)};
  give(call, std::make_shared<CustomOptimizer>(call.runtime(), groups_argument(call),
                                               std::any(step), traits));
}

void step(Call& call) { set_step_result(call, optimizer_argument(call)->step(step_call(call))); }

void zero_grad(Call& call) {
  std::optional<bool> set_to_none;
  if (call.has("set_to_none")) set_to_none = call.arguments().boolean("set_to_none");
  optimizer_argument(call)->zero_grad(set_to_none);
}

void state(Call& call) {
  const auto optimizer = optimizer_argument(call);
  List states;
  for (const Tensor& param : optimizer->params()) {
    Dict dict;
    for (const auto& [name, tensor] : optimizer->state_of(param).tensors()) {
      dict.items.emplace_back(name, call.give(tensor));
    }
    states.items.emplace_back(std::move(dict));
  }
  call.result(Value(std::move(states)));
}

std::optional<LentAttribute>& attribute(Call& call, Optimizer& optimizer) {
  const std::string name = call.arguments().text("name");
  if (name == "grad_scale") return optimizer.grad_scale;
  if (name == "found_inf") return optimizer.found_inf;
  throw NotSupported("no attribute '" + name + "'");
}

void get(Call& call) {
  const auto optimizer = optimizer_argument(call);
  const std::optional<LentAttribute>& found = attribute(call, *optimizer);
  call.set("present", found.has_value());
  if (!found) return call.result(Value(None{}));
  if (const auto* tensor = std::get_if<Tensor>(&*found)) return call.result(*tensor);
  call.result(to_value(call, *found));
}

LentAttribute attribute_value(Call& call) {
  const Value& value = call.arguments().value("value");
  if (value.is_none()) return std::monostate{};
  if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
  if (const auto* real = value.get_if<double>()) return *real;
  return call.tensor_from(value);
}

void set(Call& call) {
  const auto optimizer = optimizer_argument(call);
  attribute(call, *optimizer) = attribute_value(call);
}

void calls(Call& call) { call.result(Value(optimizer_argument(call)->calls())); }

void clip(Call& call) {
  const double max_norm = call.arguments().real("max_norm");
  call.result(clip_grad_norm_(call.runtime(), call.tensors("params"), max_norm));
}

}  // namespace

void add_optim_commands(CommandTable& table) {
  table.add("optim.sgd", sgd);
  table.add("optim.adam", adam);
  table.add("optim.custom", custom);
  table.add("optim.step", step);
  table.add("optim.zero_grad", zero_grad);
  table.add("optim.state", state);
  table.add("optim.get", get);
  table.add("optim.set", set);
  table.add("optim.calls", calls);
  table.add("optim.clip_grad_norm_", clip);
}

}  // namespace assay::reference
