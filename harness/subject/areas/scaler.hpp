// The answers to the commands of area scaler, for every runtime in C++.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/subject/arguments.hpp"

namespace assay {

/// `Runtime` names the types of a runtime and decides what the runtime decides. Conversions that
/// other areas need too are found by their names (optimizer_argument, outputs_from).
///
///   Call, Object, GradScaler, Optimizer, State
///   Lazy                           an object of kind "lazy"
///   Construction                   arguments as they were given: api, cuda_available, positional,
///                                  named
///   Api                            the classes
///   NewScale, WrongScale           NewScale is a double, a tensor or a WrongScale
///   has_cuda(call)                 what cuda_available is where it is not given
///   construction_argument(value)
///   make(call, construction)
///   takes_any_optimizer(scaler)    for unscale_
///   number_from(value)             empty if it is no number
///   flag_of(entry)                 the device and the tensor of a flag
template <typename Runtime>
struct ScalerCommandsOf {
  using Call = typename Runtime::Call;
  using Api = typename Runtime::Api;
  using Scaler = typename Runtime::GradScaler;

  static void new_(Call& call) {
    typename Runtime::Construction asked;
    if (call.has("api")) asked.api = api_named(call.arguments().text("api"));
    asked.cuda_available = call.arguments().boolean("cuda_available", Runtime::has_cuda(call));
    if (call.has("positional")) {
      for (const Value& value : call.arguments().items("positional")) {
        asked.positional.push_back(Runtime::construction_argument(value));
      }
    }
    for (const char* name : {"device", "init_scale", "growth_factor", "backoff_factor",
                             "growth_interval", "enabled"}) {
      const Value* value = call.arguments().optional(name);
      if (value != nullptr) asked.named.emplace_back(name, Runtime::construction_argument(*value));
    }
    give(call, Runtime::make(call, asked));
  }

  // The calls of a training step.

  static void scale(Call& call) {
    const auto held = scaler(call);
    set_outputs_result(call, held->scale(outputs_from(call, call.arguments().value("outputs"))));
  }
  static void next(Call& call) {
    const auto item = call.template held<typename Runtime::Lazy>("lazy", "lazy")->next();
    call.set("done", !item.has_value());
    if (item) return set_outputs_result(call, *item);
    call.set("result", Value());
  }
  static void unscale_(Call& call) {
    const auto held = scaler(call);
    const bool is_one = call.template refers_to<typename Runtime::Optimizer>("optimizer");
    if (!is_one && Runtime::takes_any_optimizer(*held)) return;
    held->unscale_(*optimizer_argument(call));
  }
  static void step(Call& call) {
    const auto held = scaler(call);
    const auto optimizer = optimizer_argument(call);
    set_step_result(call, held->step(*optimizer, step_call(call)));
  }
  static void update(Call& call) {
    const auto held = scaler(call);
    if (call.is_none("new_scale")) return held->update(std::nullopt);
    held->update(new_scale(call, call.arguments().value("new_scale")));
  }

  // Properties and state.

  static void get_scale(Call& call) { call.result(Value(scaler(call)->get_scale())); }
  static void get_growth_factor(Call& call) {
    call.result(Value(scaler(call)->get_growth_factor()));
  }
  static void get_backoff_factor(Call& call) {
    call.result(Value(scaler(call)->get_backoff_factor()));
  }
  static void get_growth_interval(Call& call) {
    call.result(call.value_of(scaler(call)->get_growth_interval()));
  }
  static void get_growth_tracker(Call& call) {
    call.result(call.value_of(scaler(call)->get_growth_tracker()));
  }
  static void is_enabled(Call& call) { call.result(Value(scaler(call)->is_enabled())); }
  static void set_growth_factor(Call& call) {
    scaler(call)->set_growth_factor(call.arguments().real("value"));
  }
  static void set_backoff_factor(Call& call) {
    scaler(call)->set_backoff_factor(call.arguments().real("value"));
  }
  static void set_growth_interval(Call& call) {
    scaler(call)->set_growth_interval(call.arguments().integer("value"));
  }
  static void state_dict(Call& call) {
    Dict dict;
    for (const auto& [name, number] : scaler(call)->state_dict()) {
      dict.items.emplace_back(name, call.value_of(number));
    }
    call.result(Value(std::move(dict)));
  }
  static void load_state_dict(Call& call) {
    const auto held = scaler(call);
    const Dict* dict = call.arguments().value("state").template get_if<Dict>();
    if (dict == nullptr) throw InvalidArgument("'state' must be a dict");
    typename Runtime::State state;
    for (const auto& [key, value] : dict->items) {
      const auto* name = key.template get_if<std::string>();
      const auto number = Runtime::number_from(value);
      if (name == nullptr || !number) {
        throw InvalidArgument("'state' must map strings to numbers");
      }
      state.emplace_back(*name, *number);
    }
    held->load_state_dict(state);
  }

  // Copies, and what is inside.

  static void pickle(Call& call) { give(call, scaler(call)->copy()); }
  static void deepcopy(Call& call) { give(call, scaler(call)->copy()); }
  static void move(Call& call) {
    const auto held = scaler(call);
    give(call, held->move());
    call.set("moved_from_enabled", held->is_enabled());
  }
  static void tensors(Call& call) {
    const auto held = scaler(call);
    const auto set = [&](const char* name, const auto& tensor) {
      call.set(name, tensor.defined() ? call.give_as(name, tensor) : Value());
    };
    set("scale", held->scale_tensor());
    set("tracker", held->tracker_tensor());
  }
  static void found_inf(Call& call) {
    set_flags(call, scaler(call)->found_inf_per_device(*optimizer_argument(call)));
  }
  static void check_inf(Call& call) {
    set_flags(call, scaler(call)->check_inf_per_device(*optimizer_argument(call)));
  }
  static void stage(Call& call) {
    constexpr const char* kNames[] = {"READY", "UNSCALED", "STEPPED"};
    const auto stage = scaler(call)->stage_of(*optimizer_argument(call));
    call.set("stage", kNames[stage ? static_cast<std::size_t>(*stage) : 0]);
    call.set("known", stage.has_value());
  }

 private:
  static Api api_named(const std::string& name) {
    if (name == "torch.amp") return Api::kTorchAmp;
    if (name == "torch.cuda.amp") return Api::kTorchCudaAmp;
    if (name == "torch.cpu.amp") return Api::kTorchCpuAmp;
    throw NotSupported("no class GradScaler in '" + name + "'");
  }
  static std::shared_ptr<Scaler> scaler(Call& call) {
    return call.template held<Scaler>("scaler", "scaler");
  }
  static void give(Call& call, std::shared_ptr<Scaler> made) {
    call.result(typename Runtime::Object(std::move(made), "scaler"));
  }
  static typename Runtime::NewScale new_scale(Call& call, const Value& value) {
    using Wrong = typename Runtime::WrongScale;
    if (const auto* number = value.template get_if<double>()) return *number;
    if (value.tensor() != nullptr || value.sparse() != nullptr) return call.tensor_from(value);
    const Ref* ref = value.template get_if<Ref>();
    if (ref == nullptr) return Wrong{std::string(kind_of(value))};
    const auto object = call.names().get(ref->name);
    if (object.is_tensor()) return object.tensor();
    return Wrong{std::string(object.kind())};
  }
  /// Each flag gets a name with its index.
  static void set_flags(Call& call, const auto& flags) {
    Dict dict;
    for (const auto& entry : flags) {
      const auto [device, flag] = Runtime::flag_of(entry);
      const std::string index = std::to_string(dict.items.size());
      dict.items.emplace_back(call.value_of(device), call.give_as(index, flag));
    }
    call.set("result", Value(std::move(dict)));
  }
};

}  // namespace assay
