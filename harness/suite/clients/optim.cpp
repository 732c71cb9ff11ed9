// Implements what the typed client of the area optim adds to the generated calls.
#include "harness/suite/clients/optim.hpp"

namespace assay {
namespace {

void put_rate(Fields& with, const auto& options) {
  if (options.rate) {
    put(with, "lr", options.rate);
  } else {
    put(with, "lr", options.lr);
  }
}

}  // namespace

ScalerAttribute ScalerAttribute::from(const Reply& reply) {
  if (!field_to<bool>(reply, "present")) return {};
  return {.present = true, .value = field(reply, "result")};
}

Value OptimizerHandle::step() const {
  return read_field<Value>("optim.step", {{"optimizer", *this}});
}

Value OptimizerHandle::step(const Value& closure) const {
  return read_field<Value>("optim.step", {{"optimizer", *this}, {"args", List{{closure}}}});
}

void OptimizerHandle::set_setting(std::int64_t group, std::string_view name, Value value) const {
  session().send(
      "optim.set_setting",
      {{"optimizer", *this}, {"group", group}, {"name", name}, {"value", std::move(value)}});
}

void OptimizerHandle::add_param_group(const std::vector<Value>& params, Dict settings) const {
  session().send(
      "optim.add_param_group",
      {{"optimizer", *this}, {"params", List{params}}, {"settings", std::move(settings)}});
}

SavedOptimizer OptimizerHandle::state_dict() const {
  SavedOptimizer saved{Ref{session().fresh_name("saved")}, {}, {}};
  const Reply reply = session().send("optim.state_dict", {{"optimizer", *this}}, saved.ref.name);
  if (session().recording()) return saved;
  saved.state = field_to<Dict>(reply, "state");
  saved.groups = field_to<std::vector<Dict>>(reply, "groups");
  return saved;
}

OptimizerHandle OptimClient::sgd(const SgdOptions& options) const {
  Fields with{{"params", List{options.params}}};
  put_rate(with, options);
  put(with, "momentum", options.momentum);
  put(with, "dampening", options.dampening);
  put(with, "weight_decay", options.weight_decay);
  put(with, "nesterov", options.nesterov);
  put(with, "maximize", options.maximize);
  put(with, "mode", options.mode);
  return make_object<OptimizerHandle>("optimizer", "optim.sgd", std::move(with));
}

OptimizerHandle OptimClient::adam(const AdamOptions& options) const {
  Fields with{{"params", List{options.params}}};
  put_rate(with, options);
  put(with, "betas", options.betas);
  put(with, "eps", options.eps);
  put(with, "weight_decay", options.weight_decay);
  put(with, "decoupled", options.decoupled);
  put(with, "amsgrad", options.amsgrad);
  put(with, "maximize", options.maximize);
  put(with, "capturable", options.capturable);
  put(with, "mode", options.mode);
  return make_object<OptimizerHandle>("optimizer", "optim.adam", std::move(with));
}

OptimClient Session::optim() { return OptimClient(*this); }

}  // namespace assay
