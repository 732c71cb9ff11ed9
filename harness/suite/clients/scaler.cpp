// Implements what the typed client of the area scaler adds to the generated calls.
#include "harness/suite/clients/scaler.hpp"

namespace assay {

Value ScalerHandle::scale(Value outputs, std::string as) const {
  return session().read<Value>("scaler.scale", {{"outputs", std::move(outputs)}, {"scaler", *this}},
                               "result", std::move(as));
}

Value ScalerHandle::step(const Value& optimizer, const StepArguments& arguments) const {
  Fields with{{"optimizer", optimizer}};
  if (!arguments.args.empty()) put(with, "args", arguments.args);
  if (!arguments.kwargs.empty()) {
    with.set("kwargs", Dict{{arguments.kwargs.begin(), arguments.kwargs.end()}});
  }
  with.set("scaler", *this);
  return read_field<Value>("scaler.step", std::move(with));
}

MovedScaler ScalerHandle::move() const {
  const std::string name = session().fresh_name("scaler");
  const bool enabled =
      session().read<bool>("scaler.move", {{"scaler", *this}}, "moved_from_enabled", name);
  return {.to = {session(), name}, .moved_from_enabled = enabled};
}

ScalerTensors ScalerHandle::tensors(std::string as) const {
  const Reply reply = session().send("scaler.tensors", {{"scaler", *this}}, std::move(as));
  if (session().recording()) return {};
  return {.scale = field(reply, "scale"), .tracker = field(reply, "tracker")};
}

FoundInf ScalerHandle::flags(std::string verb, const Value& optimizer, std::string as) const {
  FoundInf found;
  for (const auto& [key, flag] :
       session()
           .read<Dict>(std::move(verb), {{"optimizer", optimizer}, {"scaler", *this}}, "result",
                       std::move(as))
           .items) {
    found.emplace_back(value_to<Device>(key, "a key of the flag map"), flag);
  }
  return found;
}

FoundInf ScalerHandle::found_inf(const Value& optimizer, std::string as) const {
  return flags("scaler.found_inf", optimizer, std::move(as));
}

FoundInf ScalerHandle::check_inf(const Value& optimizer, std::string as) const {
  return flags("scaler.check_inf", optimizer, std::move(as));
}

ScalerHandle ScalerClient::construct(const ScalerOptions& options) const {
  Fields with;
  put(with, "device", options.device);
  put(with, "init_scale", options.init_scale);
  put(with, "growth_factor", options.growth_factor);
  put(with, "backoff_factor", options.backoff_factor);
  put(with, "growth_interval", options.growth_interval);
  put(with, "enabled", options.enabled);
  if (!options.positional.empty()) put(with, "positional", options.positional);
  put(with, "api", options.api);
  put(with, "cuda_available", options.cuda_available);
  return make_object<ScalerHandle>("scaler", "scaler.new", std::move(with));
}

ScalerHandle ScalerClient::make(ScalerOptions options) const {
  const Contract& contract = session().contract();
  // Before 2.3 the class had no such argument (SCL-001).
  const bool takes_device = contract.release != Release::k1_13;
  if (!options.device && takes_device) options.device = session().device().type;
  return construct(options);
}

ScalerClient::Next ScalerClient::next(const std::string& lazy) const {
  const Reply reply = session().send("scaler.next", {{"lazy", Ref{lazy}}});
  if (session().recording()) return {};
  if (field_to<bool>(reply, "done")) return {.done = true, .result = {}};
  return {.done = false, .result = field(reply, "result")};
}

ScalerClient Session::scaler() { return ScalerClient(*this); }

}  // namespace assay
