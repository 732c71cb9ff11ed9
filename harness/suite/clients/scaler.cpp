// Implements the typed client of the area scaler.
#include "harness/suite/clients/scaler.hpp"

namespace assay {
namespace {

template <typename T>
void set_if(Fields& fields, std::string name, const std::optional<T>& value) {
  if (value) fields.set(std::move(name), *value);
}

Dict keywords(const StepArguments& arguments) {
  Dict dict;
  for (const auto& [name, value] : arguments.kwargs) dict.items.emplace_back(name, value);
  return dict;
}

}  // namespace

Reply ScalerHandle::send(std::string verb, Fields with, std::string as) const {
  with.set("scaler", *this);
  return session_->send(std::move(verb), std::move(with), std::move(as));
}

Value ScalerHandle::scale(Value outputs, std::string as) const {
  const Reply reply = send("scaler.scale", {{"outputs", std::move(outputs)}}, std::move(as));
  return session_->recording() ? Value() : field(reply, "result");
}

void ScalerHandle::unscale_(const Value& optimizer) const {
  send("scaler.unscale_", {{"optimizer", optimizer}});
}

Value ScalerHandle::step(const Value& optimizer, const StepArguments& arguments) const {
  Fields with{{"optimizer", optimizer}};
  if (!arguments.args.empty()) with.set("args", List{arguments.args});
  if (!arguments.kwargs.empty()) with.set("kwargs", keywords(arguments));
  const Reply reply = send("scaler.step", std::move(with));
  return session_->recording() ? Value() : field(reply, "result");
}

void ScalerHandle::update() const { send("scaler.update"); }

void ScalerHandle::update(Value new_scale) const {
  send("scaler.update", {{"new_scale", std::move(new_scale)}});
}

template <typename T>
T ScalerHandle::read(std::string verb) const {
  const Reply reply = send(std::move(verb));
  return session_->recording() ? T() : field_as<T>(reply, "result");
}

double ScalerHandle::get_scale() const { return read<double>("scaler.get_scale"); }
double ScalerHandle::get_growth_factor() const { return read<double>("scaler.get_growth_factor"); }
double ScalerHandle::get_backoff_factor() const {
  return read<double>("scaler.get_backoff_factor");
}
std::int64_t ScalerHandle::get_growth_interval() const {
  return read<std::int64_t>("scaler.get_growth_interval");
}
std::int64_t ScalerHandle::get_growth_tracker() const {
  return read<std::int64_t>("scaler.get_growth_tracker");
}
bool ScalerHandle::is_enabled() const { return read<bool>("scaler.is_enabled"); }

void ScalerHandle::set_growth_factor(double value) const {
  send("scaler.set_growth_factor", {{"value", value}});
}

void ScalerHandle::set_backoff_factor(double value) const {
  send("scaler.set_backoff_factor", {{"value", value}});
}

void ScalerHandle::set_growth_interval(std::int64_t value) const {
  send("scaler.set_growth_interval", {{"value", value}});
}

Dict ScalerHandle::state_dict() const { return read<Dict>("scaler.state_dict"); }

void ScalerHandle::load_state_dict(Dict state) const {
  send("scaler.load_state_dict", {{"state", std::move(state)}});
}

ScalerHandle ScalerHandle::copy(std::string verb) const {
  const std::string name = session_->fresh_name("scaler");
  send(std::move(verb), {}, name);
  return {*session_, name};
}

ScalerHandle ScalerHandle::pickle() const { return copy("scaler.pickle"); }
ScalerHandle ScalerHandle::deepcopy() const { return copy("scaler.deepcopy"); }

MovedScaler ScalerHandle::move() const {
  const std::string name = session_->fresh_name("scaler");
  const Reply reply = send("scaler.move", {}, name);
  const bool enabled = !session_->recording() && field_as<bool>(reply, "moved_from_enabled");
  return {.to = {*session_, name}, .moved_from_enabled = enabled};
}

ScalerTensors ScalerHandle::tensors(std::string as) const {
  const Reply reply = send("scaler.tensors", {}, std::move(as));
  if (session_->recording()) return {};
  return {.scale = field(reply, "scale"), .tracker = field(reply, "tracker")};
}

FoundInf ScalerHandle::flags(std::string verb, const Value& optimizer, std::string as) const {
  const Reply reply = send(std::move(verb), {{"optimizer", optimizer}}, std::move(as));
  FoundInf found;
  if (session_->recording()) return found;
  for (const auto& [key, flag] : field_as<Dict>(reply, "result").items) {
    const Device* device = key.get_if<Device>();
    if (device == nullptr) throw BadReply("a key of the flag map is not a device");
    found.emplace_back(*device, flag);
  }
  return found;
}

FoundInf ScalerHandle::found_inf(const Value& optimizer, std::string as) const {
  return flags("scaler.found_inf", optimizer, std::move(as));
}

FoundInf ScalerHandle::check_inf(const Value& optimizer, std::string as) const {
  return flags("scaler.check_inf", optimizer, std::move(as));
}

StageReply ScalerHandle::stage(const Value& optimizer) const {
  const Reply reply = send("scaler.stage", {{"optimizer", optimizer}});
  if (session_->recording()) return {};
  return {.stage = field_as<std::string>(reply, "stage"), .known = field_as<bool>(reply, "known")};
}

ScalerHandle ScalerClient::construct(const ScalerOptions& options) const {
  Fields with;
  set_if(with, "device", options.device);
  set_if(with, "init_scale", options.init_scale);
  set_if(with, "growth_factor", options.growth_factor);
  set_if(with, "backoff_factor", options.backoff_factor);
  set_if(with, "growth_interval", options.growth_interval);
  set_if(with, "enabled", options.enabled);
  if (!options.positional.empty()) with.set("positional", List{options.positional});
  set_if(with, "api", options.api);
  set_if(with, "cuda_available", options.cuda_available);
  const std::string name = session_->fresh_name("scaler");
  session_->send("scaler.new", std::move(with), name);
  return {*session_, name};
}

ScalerHandle ScalerClient::make(ScalerOptions options) const {
  const Contract& contract = session_->contract();
  // Before 2.3 the class had no such argument (SCL-001).
  const bool takes_device = contract.release != Release::k1_13;
  if (!options.device && takes_device) options.device = session_->device().type;
  return construct(options);
}

ScalerClient::Next ScalerClient::next(const std::string& lazy) const {
  const Reply reply = session_->send("scaler.next", {{"lazy", Ref{lazy}}});
  if (session_->recording()) return {};
  if (field_as<bool>(reply, "done")) return {.done = true, .result = {}};
  return {.done = false, .result = field(reply, "result")};
}

ScalerClient Session::scaler() { return ScalerClient(*this); }

}  // namespace assay
