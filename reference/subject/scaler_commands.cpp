// Area scaler: the gradient scaler.
#include "reference/core/types/error.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/nested_values.hpp"
#include "reference/subject/steps.hpp"

namespace assay::reference {
namespace {

std::shared_ptr<GradScaler> scaler_argument(Call& call) {
  return call.held<GradScaler>("scaler", "scaler");
}

void give(Call& call, std::shared_ptr<GradScaler> scaler) {
  call.result(Object(std::move(scaler), "scaler"));
}

ScalerArgument constructor_argument(const Value& value) {
  if (const auto* truth = value.get_if<bool>()) return *truth;
  if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
  if (const auto* real = value.get_if<double>()) return *real;
  if (const auto* text = value.get_if<std::string>()) return *text;
  // A device object is not a string, so it never equals "cuda" (SCL-004).
  if (const auto* device = value.get_if<assay::Device>()) return to_text(*device) + " (a device)";
  throw InvalidArgument("a scaler is not made of a " + std::string(kind_of(value)));
}

std::optional<ScalerApi> api_argument(Call& call) {
  if (!call.has("api")) return std::nullopt;
  const std::string name = call.arguments().text("api");
  if (name == "torch.amp") return ScalerApi::kTorchAmp;
  if (name == "torch.cuda.amp") return ScalerApi::kTorchCudaAmp;
  if (name == "torch.cpu.amp") return ScalerApi::kTorchCpuAmp;
  throw NotSupported("no api '" + name + "'");
}

std::optional<NewScale> new_scale_argument(Call& call) {
  const Value* value = call.arguments().optional("new_scale");
  if (value == nullptr || value->is_none()) return std::nullopt;
  if (const auto* real = value->get_if<double>()) return *real;
  if (value->tensor() != nullptr) return call.tensor_from(*value);
  if (const auto* ref = value->get_if<Ref>()) {
    const Object object = call.names().get(ref->name);
    if (object.is<TensorImpl>()) return Tensor(object.as<TensorImpl>());
  }
  return WrongNewScale{std::string(kind_of(*value))};
}

Value to_value(const Scalar& scalar) {
  if (const auto* integer = std::get_if<std::int64_t>(&scalar.value())) return *integer;
  if (const auto* truth = std::get_if<bool>(&scalar.value())) return *truth;
  return scalar.real();
}

Scalar scalar_of(const Value& value) {
  if (const auto* truth = value.get_if<bool>()) return *truth;
  if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
  if (const auto* real = value.get_if<double>()) return *real;
  throw InvalidArgument("a state holds numbers, not a " + std::string(kind_of(value)));
}

void copy(Call& call) { give(call, scaler_argument(call)->copy()); }

void set_flags(Call& call, const FoundInfMap& flags) {
  Dict dict;
  for (const auto& [device, flag] : flags) {
    const std::string number = std::to_string(dict.items.size());
    dict.items.emplace_back(to_protocol(call.runtime(), device), call.give_as(number, flag));
  }
  call.set("result", Value(std::move(dict)));
}

}  // namespace

void scaler_new(Call& call) {
  ScalerCall asked;
  asked.api = api_argument(call);
  asked.cuda_available = call.arguments().boolean("cuda_available", call.contract().cuda());
  if (call.has("positional")) {
    for (const Value& value : call.arguments().items("positional")) {
      asked.positional.push_back(constructor_argument(value));
    }
  }
  for (const char* name :
       {"device", "init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled"}) {
    if (const Value* value = call.arguments().optional(name)) {
      asked.named.emplace_back(name, constructor_argument(*value));
    }
  }
  give(call, std::make_shared<GradScaler>(call.runtime(), options_of(call.runtime(), asked)));
}

void scaler_scale(Call& call) {
  const auto scaler = scaler_argument(call);
  const Nested outputs = to_nested(call, call.arguments().value("outputs"));
  set_nested_result(call, scaler->scale(outputs));
}

void scaler_next(Call& call) {
  const std::optional<Nested> item = call.held<LazySequence>("lazy", "lazy")->next();
  call.set("done", !item.has_value());
  if (item) return set_nested_result(call, *item);
  call.set("result", None{});
}

void scaler_unscale_(Call& call) {
  const auto scaler = scaler_argument(call);
  const Value& optimizer = call.arguments().value("optimizer");
  // A disabled scaler accepts any object (SCL-214).
  if (!scaler->is_enabled() && !optimizer.is<Ref>()) return;
  scaler->unscale_(*optimizer_argument(call));
}

void scaler_step(Call& call) {
  const auto scaler = scaler_argument(call);
  const auto optimizer = optimizer_argument(call);
  set_step_result(call, scaler->step(*optimizer, step_call(call)));
}

void scaler_update(Call& call) { scaler_argument(call)->update(new_scale_argument(call)); }

void scaler_get_scale(Call& call) { call.result(Value(scaler_argument(call)->get_scale())); }
void scaler_get_growth_factor(Call& call) {
  call.result(Value(scaler_argument(call)->get_growth_factor()));
}
void scaler_get_backoff_factor(Call& call) {
  call.result(Value(scaler_argument(call)->get_backoff_factor()));
}
void scaler_get_growth_interval(Call& call) {
  call.result(to_value(scaler_argument(call)->get_growth_interval()));
}
void scaler_get_growth_tracker(Call& call) {
  call.result(to_value(scaler_argument(call)->get_growth_tracker()));
}
void scaler_is_enabled(Call& call) { call.result(Value(scaler_argument(call)->is_enabled())); }

void scaler_set_growth_factor(Call& call) {
  scaler_argument(call)->set_growth_factor(call.arguments().real("value"));
}
void scaler_set_backoff_factor(Call& call) {
  scaler_argument(call)->set_backoff_factor(call.arguments().real("value"));
}
void scaler_set_growth_interval(Call& call) {
  scaler_argument(call)->set_growth_interval(call.arguments().integer("value"));
}

void scaler_state_dict(Call& call) {
  Dict dict;
  for (const auto& [key, value] : scaler_argument(call)->state_dict()) {
    dict.items.emplace_back(key, to_value(value));
  }
  call.result(Value(std::move(dict)));
}

void scaler_load_state_dict(Call& call) {
  const auto scaler = scaler_argument(call);
  const Dict* dict = call.arguments().value("state").get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("state must be a dict");
  ScalerState state;
  for (const auto& [key, value] : dict->items) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr) throw InvalidArgument("the keys of a state are texts");
    state.emplace_back(*name, scalar_of(value));
  }
  scaler->load_state_dict(state);
}

void scaler_move(Call& call) {
  const auto scaler = scaler_argument(call);
  give(call, scaler->move());
  call.set("moved_from_enabled", scaler->is_enabled());
}

void scaler_tensors(Call& call) {
  const auto scaler = scaler_argument(call);
  const auto set = [&](const char* name, const Tensor& tensor) {
    call.set(name, tensor.defined() ? call.give_as(name, tensor) : Value(None{}));
  };
  set("scale", scaler->scale_tensor());
  set("tracker", scaler->tracker_tensor());
}

void scaler_found_inf(Call& call) {
  set_flags(call, scaler_argument(call)->found_inf_per_device(*optimizer_argument(call)));
}

void scaler_check_inf(Call& call) {
  set_flags(call, scaler_argument(call)->check_inf_per_device(*optimizer_argument(call)));
}

void scaler_stage(Call& call) {
  const auto stage = scaler_argument(call)->stage_of(*optimizer_argument(call));
  const char* names[] = {"READY", "UNSCALED", "STEPPED"};
  call.set("stage", names[static_cast<int>(stage.value_or(OptState::kReady))]);
  call.set("known", stage.has_value());
}

void scaler_pickle(Call& call) { copy(call); }
void scaler_deepcopy(Call& call) { copy(call); }

}  // namespace assay::reference
