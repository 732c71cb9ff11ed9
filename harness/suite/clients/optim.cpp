// Implements the typed client of the area optim.
#include "harness/suite/clients/optim.hpp"

namespace assay {
namespace {

template <typename T>
void set_if(Fields& fields, std::string name, const std::optional<T>& value) {
  if (value) fields.set(std::move(name), *value);
}

List list_of(const std::vector<double>& numbers) {
  List list;
  for (const double number : numbers) list.items.emplace_back(number);
  return list;
}

std::vector<Dict> dicts_in(const Reply& reply, std::string_view name) {
  std::vector<Dict> dicts;
  for (const Value& item : field_as<List>(reply, name).items) {
    const Dict* dict = item.get_if<Dict>();
    if (dict == nullptr) throw BadReply("a list of dicts was expected in " + std::string(name));
    dicts.push_back(*dict);
  }
  return dicts;
}

}  // namespace

Value OptimizerHandle::step() const {
  return session_->read<Value>("optim.step", {{"optimizer", *this}});
}

Value OptimizerHandle::step(const Value& closure) const {
  return session_->read<Value>("optim.step", {{"optimizer", *this}, {"args", List{{closure}}}});
}

void OptimizerHandle::zero_grad(std::optional<bool> set_to_none) const {
  Fields with{{"optimizer", *this}};
  set_if(with, "set_to_none", set_to_none);
  session_->send("optim.zero_grad", std::move(with));
}

std::vector<Dict> OptimizerHandle::state() const {
  const Reply reply = session_->send("optim.state", {{"optimizer", *this}});
  return session_->recording() ? std::vector<Dict>() : dicts_in(reply, "result");
}

ScalerAttribute OptimizerHandle::get(std::string_view attribute) const {
  const Reply reply = session_->send("optim.get", {{"optimizer", *this}, {"name", attribute}});
  if (session_->recording()) return {};
  if (!field_as<bool>(reply, "present")) return {};
  return {.present = true, .value = field(reply, "result")};
}

void OptimizerHandle::set(std::string_view attribute, Value value) const {
  session_->send("optim.set",
                 {{"optimizer", *this}, {"name", attribute}, {"value", std::move(value)}});
}

std::int64_t OptimizerHandle::calls() const {
  return session_->read<std::int64_t>("optim.calls", {{"optimizer", *this}});
}

std::vector<Dict> OptimizerHandle::groups() const {
  const Reply reply = session_->send("optim.groups", {{"optimizer", *this}});
  return session_->recording() ? std::vector<Dict>() : dicts_in(reply, "result");
}

void OptimizerHandle::set_setting(std::int64_t group, std::string_view name, Value value) const {
  session_->send(
      "optim.set_setting",
      {{"optimizer", *this}, {"group", group}, {"name", name}, {"value", std::move(value)}});
}

void OptimizerHandle::add_param_group(const std::vector<Value>& params, Dict settings) const {
  session_->send(
      "optim.add_param_group",
      {{"optimizer", *this}, {"params", List{params}}, {"settings", std::move(settings)}});
}

SavedOptimizer OptimizerHandle::state_dict() const {
  SavedOptimizer saved{Ref{session_->fresh_name("saved")}, {}, {}};
  const Reply reply = session_->send("optim.state_dict", {{"optimizer", *this}}, saved.ref.name);
  if (session_->recording()) return saved;
  saved.state = field_as<Dict>(reply, "state");
  saved.groups = dicts_in(reply, "groups");
  return saved;
}

void OptimizerHandle::load_state_dict(Value state) const {
  session_->send("optim.load_state_dict", {{"optimizer", *this}, {"state", std::move(state)}});
}

Ref OptimizerHandle::hook(std::string_view when, const Callable& call) const {
  const Ref made{session_->fresh_name("hook")};
  session_->send("optim.hook", {{"optimizer", *this}, {"when", when}, {"call", call}}, made.name);
  return made;
}

OptimizerHandle OptimClient::sgd(const SgdOptions& options) const {
  Fields with{{"params", List{options.params}}};
  set_if(with, "lr", options.lr);
  set_if(with, "momentum", options.momentum);
  set_if(with, "dampening", options.dampening);
  set_if(with, "weight_decay", options.weight_decay);
  set_if(with, "nesterov", options.nesterov);
  set_if(with, "maximize", options.maximize);
  set_if(with, "mode", options.mode);
  return make("optim.sgd", std::move(with));
}

OptimizerHandle OptimClient::adam(const AdamOptions& options) const {
  Fields with{{"params", List{options.params}}};
  set_if(with, "lr", options.lr);
  if (options.betas) with.set("betas", list_of(*options.betas));
  set_if(with, "eps", options.eps);
  set_if(with, "weight_decay", options.weight_decay);
  set_if(with, "decoupled", options.decoupled);
  set_if(with, "amsgrad", options.amsgrad);
  set_if(with, "maximize", options.maximize);
  set_if(with, "mode", options.mode);
  return make("optim.adam", std::move(with));
}

OptimizerHandle OptimClient::custom(const CustomOptimizerOptions& options) const {
  Fields with{{"params", List{options.params}}, {"step", options.step}};
  set_if(with, "supports_amp_scaling", options.supports_amp_scaling);
  set_if(with, "takes_grad_scaler", options.takes_grad_scaler);
  return make("optim.custom", std::move(with));
}

Value OptimClient::clip_grad_norm_(const std::vector<Value>& params, double max_norm) const {
  return session_->read<Value>("optim.clip_grad_norm_",
                               {{"params", List{params}}, {"max_norm", max_norm}});
}

OptimizerHandle OptimClient::make(std::string verb, Fields with) const {
  const std::string name = session_->fresh_name("optimizer");
  session_->send(std::move(verb), std::move(with), name);
  return {*session_, name};
}

OptimClient Session::optim() { return OptimClient(*this); }

}  // namespace assay
