// Area scaler: properties, state, copies, and live tensors.
#include "cuda_impl/subject/scaler_state_commands.hpp"

#include "cuda_impl/subject/optim/steps.hpp"

namespace assay::cuda {
namespace {

void copy(Call& call) { give_scaler(call, scaler_argument(call)->copy()); }

/// Each flag gets a name with its index.
void set_flags(Call& call, const DeviceFlags& flags) {
  Dict dict;
  for (const DeviceFlag& found : flags) {
    const std::string number = std::to_string(dict.items.size());
    dict.items.emplace_back(to_waist(found.device, call.release()),
                            call.give_as(number, found.flag));
  }
  call.set("result", Value(std::move(dict)));
}

}  // namespace

void scaler_get_scale(Call& call) { call.result(Value(scaler_argument(call)->get_scale())); }
void scaler_get_growth_factor(Call& call) {
  call.result(Value(scaler_argument(call)->get_growth_factor()));
}
void scaler_get_backoff_factor(Call& call) {
  call.result(Value(scaler_argument(call)->get_backoff_factor()));
}
void scaler_get_growth_interval(Call& call) {
  call.result(Value(scaler_argument(call)->get_growth_interval()));
}
void scaler_get_growth_tracker(Call& call) {
  call.result(value_of(scaler_argument(call)->growth_tracker()));
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
  for (const auto& [name, number] : scaler_argument(call)->state_dict()) {
    dict.items.emplace_back(name, value_of(number));
  }
  call.result(Value(std::move(dict)));
}

void scaler_load_state_dict(Call& call) {
  const auto scaler = scaler_argument(call);
  const Dict* dict = call.arguments().value("state").get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("'state' must be a dict");
  ScalerState state;
  for (const auto& [key, value] : dict->items) {
    const auto* name = key.get_if<std::string>();
    const auto number = scalar_from(value);
    if (name == nullptr || !number) {
      throw InvalidArgument("'state' must have texts for keys, and numbers behind them");
    }
    state.emplace_back(*name, *number);
  }
  scaler->load_state_dict(state);
}

void scaler_move(Call& call) {
  const auto scaler = scaler_argument(call);
  give_scaler(call, scaler->move());
  call.set("moved_from_enabled", scaler->is_enabled());
}

void scaler_tensors(Call& call) {
  const auto scaler = scaler_argument(call);
  const auto set = [&](const char* name, const Tensor& tensor) {
    call.set(name, tensor.defined() ? call.give_as(name, tensor) : Value());
  };
  set("scale", scaler->scale_tensor());
  set("tracker", scaler->tracker_tensor());
}

void scaler_found_inf(Call& call) {
  set_flags(call, scaler_argument(call)->found_inf(*optimizer_argument(call)));
}

void scaler_check_inf(Call& call) {
  set_flags(call, scaler_argument(call)->check_inf(*optimizer_argument(call)));
}

void scaler_stage(Call& call) {
  const auto stage = scaler_argument(call)->stage_of(*optimizer_argument(call));
  constexpr const char* kNames[] = {"READY", "UNSCALED", "STEPPED"};
  call.set("stage", kNames[static_cast<std::size_t>(stage.value_or(Stage::kReady))]);
  call.set("known", stage.has_value());
}

void scaler_pickle(Call& call) { copy(call); }
void scaler_deepcopy(Call& call) { copy(call); }

std::shared_ptr<GradScaler> scaler_argument(Call& call) {
  return call.held<GradScaler>("scaler", "scaler");
}

void give_scaler(Call& call, std::shared_ptr<GradScaler> scaler) {
  call.result(Object(std::move(scaler), "scaler"));
}

}  // namespace assay::cuda
