// Area scaler: properties, state, copies, and live tensors.
#include "cuda_impl/subject/scaler_state_commands.hpp"

#include "cuda_impl/subject/optim/steps.hpp"

namespace assay::cuda {
namespace {

void get_scale(Call& call) { call.result(Value(scaler_argument(call)->get_scale())); }
void get_growth_factor(Call& call) {
  call.result(Value(scaler_argument(call)->get_growth_factor()));
}
void get_backoff_factor(Call& call) {
  call.result(Value(scaler_argument(call)->get_backoff_factor()));
}
void get_growth_interval(Call& call) {
  call.result(Value(scaler_argument(call)->get_growth_interval()));
}
void get_growth_tracker(Call& call) {
  call.result(value_of(scaler_argument(call)->growth_tracker()));
}
void is_enabled(Call& call) { call.result(Value(scaler_argument(call)->is_enabled())); }

void set_growth_factor(Call& call) {
  scaler_argument(call)->set_growth_factor(call.arguments().real("value"));
}
void set_backoff_factor(Call& call) {
  scaler_argument(call)->set_backoff_factor(call.arguments().real("value"));
}
void set_growth_interval(Call& call) {
  scaler_argument(call)->set_growth_interval(call.arguments().integer("value"));
}

void state_dict(Call& call) {
  Dict dict;
  for (const auto& [name, number] : scaler_argument(call)->state_dict()) {
    dict.items.emplace_back(name, value_of(number));
  }
  call.result(Value(std::move(dict)));
}

void load_state_dict(Call& call) {
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

void copy(Call& call) { give_scaler(call, scaler_argument(call)->copy()); }

void move(Call& call) {
  const auto scaler = scaler_argument(call);
  give_scaler(call, scaler->move());
  call.set("moved_from_enabled", scaler->is_enabled());
}

void tensors(Call& call) {
  const auto scaler = scaler_argument(call);
  const auto set = [&](const char* name, const Tensor& tensor) {
    call.set(name, tensor.defined() ? call.give_as(name, tensor) : Value());
  };
  set("scale", scaler->scale_tensor());
  set("tracker", scaler->tracker_tensor());
}

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

void found_inf(Call& call) {
  set_flags(call, scaler_argument(call)->found_inf(*optimizer_argument(call)));
}

void check_inf(Call& call) {
  set_flags(call, scaler_argument(call)->check_inf(*optimizer_argument(call)));
}

void stage(Call& call) {
  const auto stage = scaler_argument(call)->stage_of(*optimizer_argument(call));
  constexpr const char* kNames[] = {"READY", "UNSCALED", "STEPPED"};
  call.set("stage", kNames[static_cast<std::size_t>(stage.value_or(Stage::kReady))]);
  call.set("known", stage.has_value());
}

}  // namespace

std::shared_ptr<GradScaler> scaler_argument(Call& call) {
  return call.held<GradScaler>("scaler", "scaler");
}

void give_scaler(Call& call, std::shared_ptr<GradScaler> scaler) {
  call.result(Object(std::move(scaler), "scaler"));
}

void add_scaler_state_commands(CommandTable& table) {
  table.add("scaler.get_scale", get_scale);
  table.add("scaler.get_growth_factor", get_growth_factor);
  table.add("scaler.get_backoff_factor", get_backoff_factor);
  table.add("scaler.get_growth_interval", get_growth_interval);
  table.add("scaler.get_growth_tracker", get_growth_tracker);
  table.add("scaler.is_enabled", is_enabled);
  table.add("scaler.set_growth_factor", set_growth_factor);
  table.add("scaler.set_backoff_factor", set_backoff_factor);
  table.add("scaler.set_growth_interval", set_growth_interval);
  table.add("scaler.state_dict", state_dict);
  table.add("scaler.load_state_dict", load_state_dict);
  table.add("scaler.pickle", copy);
  table.add("scaler.deepcopy", copy);
  table.add("scaler.move", move);
  table.add("scaler.tensors", tensors);
  table.add("scaler.found_inf", found_inf);
  table.add("scaler.check_inf", check_inf);
  table.add("scaler.stage", stage);
}

}  // namespace assay::cuda
