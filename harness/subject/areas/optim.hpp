// The answers to the commands of area optim, for every runtime in C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/subject/arguments.hpp"

namespace assay {

/// `Runtime` names the types of a runtime and decides what the runtime decides. What other areas
/// need too is found by its name (optimizer_argument, step_call, set_step_result).
///
///   Call, Object, Tensor, Optimizer, ParamGroup, Attribute
///   Settings, Setting                   a Setting is nothing, a bool, an int64, a double, a Tensor
///   or Numbers Numbers                             of a setting with several Saved, SavedGroup
///   saved: state, groups; a group has settings Mode, HookToken set(settings, name, setting),
///   items(settings), numbers(list of doubles), write_mode sgd(call, groups, settings), adam(call,
///   groups, is_decoupled, settings) custom(call, groups, supports_amp_scaling, takes_grad_scaler)
///   state(optimizer, index), save(optimizer), load(call, optimizer, saved)
///   add_state(saved, number), set_tensor(state, name, tensor), tensors_in(state), params_of(group)
///   tensor_of_step(call, number)        of a step that was saved as a number
///   check_has_params(bool)              of a saved group
///   clip_grad_norm_(call, tensors, max_norm)
template <typename Runtime>
struct OptimCommandsOf {
  using Call = typename Runtime::Call;
  using Tensor = typename Runtime::Tensor;
  using Optimizer = typename Runtime::Optimizer;
  using ParamGroup = typename Runtime::ParamGroup;
  using Attribute = typename Runtime::Attribute;
  using Setting = typename Runtime::Setting;
  using Settings = typename Runtime::Settings;
  using Saved = typename Runtime::Saved;

  // Making optimizers, and their steps.

  static void sgd(Call& call) {
    const Settings given = given_settings(
        call, {"lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize"});
    give(call, Runtime::sgd(call, groups_argument(call), given));
  }
  static void adam(Call& call) {
    const Settings given = given_settings(
        call, {"lr", "betas", "eps", "weight_decay", "amsgrad", "maximize", "capturable"});
    give(call, Runtime::adam(call, groups_argument(call), call.flag("decoupled"), given));
  }
  static void custom(Call& call) {
    if (!call.arguments().value("step").template is<Callable>()) {
      throw InvalidArgument("'step' must be something callable");
    }
    give(call, Runtime::custom(call, groups_argument(call), call.flag("supports_amp_scaling"),
                               call.flag("takes_grad_scaler")));
  }
  static void step(Call& call) {
    set_step_result(call, optimizer_argument(call)->step(step_call(call)));
  }
  static void zero_grad(Call& call) {
    std::optional<bool> set_to_none;
    if (call.has("set_to_none")) set_to_none = call.arguments().boolean("set_to_none");
    optimizer_argument(call)->zero_grad(set_to_none);
  }
  static void calls(Call& call) { call.result(Value(optimizer_argument(call)->calls())); }
  static void clip_grad_norm_(Call& call) {
    const double max_norm = call.arguments().real("max_norm");
    call.result(Runtime::clip_grad_norm_(call, call.tensors("params"), max_norm));
  }

  // What a scaler lends an optimizer.

  static void get(Call& call) {
    const auto optimizer = optimizer_argument(call);
    const std::optional<Attribute>& found = attribute(call, *optimizer);
    call.set("present", found.has_value());
    if (!found) return call.result(Value());
    if (const auto* tensor = std::get_if<Tensor>(&*found)) return call.result(*tensor);
    if (const auto* real = std::get_if<double>(&*found)) return call.result(Value(*real));
    if (const auto* whole = std::get_if<std::int64_t>(&*found)) return call.result(Value(*whole));
    call.result(Value());
  }
  static void set(Call& call) {
    const auto optimizer = optimizer_argument(call);
    attribute(call, *optimizer) = attribute_value(call);
  }

  // Groups, settings, state.

  static void groups(Call& call) {
    List list;
    for (const ParamGroup& group : optimizer_argument(call)->groups()) {
      List params;
      for (const Tensor& param : group.params) params.items.push_back(call.give(param));
      list.items.emplace_back(dict_of(call, group.settings, std::move(params)));
    }
    call.result(Value(std::move(list)));
  }
  static void set_setting(Call& call) {
    const auto optimizer = optimizer_argument(call);
    const std::int64_t group = call.arguments().integer("group", 0);
    if (group < 0) throw InvalidArgument("'group' must not be negative");
    optimizer->set_setting(static_cast<std::size_t>(group), call.arguments().text("name"),
                           setting_from(call, call.arguments().value("value")));
  }
  static void add_param_group(Call& call) {
    const auto optimizer = optimizer_argument(call);
    ParamGroup group{call.tensors("params"), {}};
    if (call.has("settings")) {
      group.settings =
          settings_from(call, dict_in(call.arguments().value("settings"), "'settings'"));
    }
    optimizer->add_param_group(std::move(group));
  }
  static void state(Call& call) {
    const auto optimizer = optimizer_argument(call);
    List states;
    for (std::size_t i = 0; i < optimizer->params().size(); ++i) {
      states.items.emplace_back(dict_of(call, Runtime::state(*optimizer, i)));
    }
    call.result(Value(std::move(states)));
  }
  static void state_dict(Call& call) {
    const auto saved = std::make_shared<Saved>(Runtime::save(*optimizer_argument(call)));
    Dict states;
    for (const auto& [number, kept] : *saved->state) {
      states.items.emplace_back(number, dict_of(call, Runtime::tensors_in(kept)));
    }
    List groups;
    for (auto& group : *saved->groups) {
      List numbers;
      for (const std::int64_t number : Runtime::params_of(group)) {
        numbers.items.emplace_back(number);
      }
      groups.items.emplace_back(dict_of(call, group.settings, std::move(numbers)));
    }
    call.set("state", Value(std::move(states)));
    call.set("groups", Value(std::move(groups)));
    call.result(typename Runtime::Object(saved, "state_dict"));
  }
  static void load_state_dict(Call& call) {
    const auto optimizer = optimizer_argument(call);
    const Dict* dict = call.arguments().value("state").template get_if<Dict>();
    if (dict != nullptr) return Runtime::load(call, *optimizer, saved_from(call, *dict));
    Runtime::load(call, *optimizer, *call.template held<Saved>("state", "state_dict"));
  }

  static void hook(Call& call) {
    const auto optimizer = optimizer_argument(call);
    const std::string when = call.arguments().text("when");
    if (when != "pre" && when != "post") throw InvalidArgument("'when' must be pre or post");
    const auto* callable = call.arguments().value("call").template get_if<Callable>();
    if (callable == nullptr) throw InvalidArgument("'call' must be something callable");
    const auto run = [name = callable->name](const std::shared_ptr<Optimizer>& stepped) {
      Call& now = Call::current();
      now.call_back(name, {now.lend(typename Runtime::Object(stepped, "optimizer"))});
    };
    const auto token = optimizer->add_hook(when == "pre", run);
    call.result(typename Runtime::Object(std::make_shared<Hook>(Hook{optimizer, token}), "hook"));
  }
  static void remove_hook(Call& call) {
    const auto hook = call.template held<Hook>("hook", "hook");
    hook->optimizer->remove_hook(hook->token);
  }

 private:
  struct Hook {
    std::shared_ptr<Optimizer> optimizer;
    typename Runtime::HookToken token;
  };

  static void give(Call& call, std::shared_ptr<Optimizer> optimizer) {
    call.result(typename Runtime::Object(std::move(optimizer), "optimizer"));
  }
  static const Dict& dict_in(const Value& value, const char* what) {
    const Dict* dict = value.get_if<Dict>();
    if (dict == nullptr) throw InvalidArgument(std::string(what) + " must be a dict");
    return *dict;
  }
  static const std::string& text_in(const Value& key) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr) throw InvalidArgument("the names of settings and states are strings");
    return *name;
  }
  static std::int64_t number_in(const Value& value) {
    const auto* number = value.get_if<std::int64_t>();
    if (number == nullptr) throw InvalidArgument("saved parameters have numbers");
    return *number;
  }

  /// One group of tensors, or a list for each group.
  static std::vector<ParamGroup> groups_argument(Call& call) {
    std::vector<ParamGroup> groups;
    ParamGroup only;
    for (const Value& item : call.arguments().items("params")) {
      const List* list = item.get_if<List>();
      if (list == nullptr) {
        only.params.push_back(call.tensor_from(item));
        continue;
      }
      ParamGroup& group = groups.emplace_back();
      for (const Value& param : list->items) group.params.push_back(call.tensor_from(param));
    }
    if (!only.params.empty()) groups.insert(groups.begin(), std::move(only));
    return groups;
  }
  static Settings given_settings(Call& call, std::initializer_list<const char*> known) {
    Settings given;
    for (const char* name : known) {
      if (call.has(name))
        Runtime::set(given, name, setting_from(call, call.arguments().value(name)));
    }
    read_mode(call, given);
    return given;
  }
  /// `default` leaves the mode to the runtime.
  static void read_mode(Call& call, Settings& settings) {
    using Mode = typename Runtime::Mode;
    const std::string mode = call.arguments().text("mode", "plain");
    if (mode == "default") return;
    if (mode == "plain") return Runtime::write_mode(settings, Mode::kPlain);
    if (mode == "foreach") return Runtime::write_mode(settings, Mode::kForeach);
    if (mode == "fused") return Runtime::write_mode(settings, Mode::kFused);
    throw NotSupported("no mode '" + mode + "'");
  }

  static std::optional<Attribute>& attribute(Call& call, Optimizer& optimizer) {
    const std::string name = call.arguments().text("name");
    if (name == "grad_scale") return optimizer.grad_scale;
    if (name == "found_inf") return optimizer.found_inf;
    throw NotSupported("no attribute '" + name + "'");
  }
  static Attribute attribute_value(Call& call) {
    const Value& value = call.arguments().value("value");
    if (value.is_none()) return {};
    if (const auto* whole = value.get_if<std::int64_t>()) return *whole;
    if (const auto* real = value.get_if<double>()) return *real;
    return call.tensor_from(value);
  }

  static Setting setting_from(Call& call, const Value& value) {
    if (value.is_none()) return {};
    if (const auto* truth = value.get_if<bool>()) return *truth;
    if (const auto* whole = value.get_if<std::int64_t>()) return *whole;
    if (const auto* real = value.get_if<double>()) return *real;
    if (value.tensor() != nullptr || value.is<Ref>()) return call.tensor_from(value);
    const auto* tuple = value.get_if<Tuple>();
    const auto* list = value.get_if<List>();
    if (tuple == nullptr && list == nullptr) {
      throw InvalidArgument("no setting is a " + std::string(kind_of(value)));
    }
    std::vector<double> numbers;
    for (const Value& item : tuple != nullptr ? tuple->items : list->items) {
      const auto* whole = item.get_if<std::int64_t>();
      const auto* real = item.get_if<double>();
      if (whole == nullptr && real == nullptr) throw InvalidArgument("a setting holds numbers");
      numbers.push_back(real != nullptr ? *real : static_cast<double>(*whole));
    }
    return Runtime::numbers(numbers);
  }
  static Value value_of(Call& call, const Setting& setting) {
    if (const auto* truth = std::get_if<bool>(&setting)) return *truth;
    if (const auto* whole = std::get_if<std::int64_t>(&setting)) return *whole;
    if (const auto* real = std::get_if<double>(&setting)) return *real;
    if (const auto* tensor = std::get_if<Tensor>(&setting)) return call.give(*tensor);
    const auto* numbers = std::get_if<typename Runtime::Numbers>(&setting);
    if (numbers == nullptr) return {};
    Tuple tuple;
    for (const double number : *numbers) tuple.items.emplace_back(number);
    return tuple;
  }
  static Settings settings_from(Call& call, const Dict& dict) {
    Settings settings;
    for (const auto& [key, value] : dict.items) {
      const std::string& name = text_in(key);
      if (name != "params") Runtime::set(settings, name, setting_from(call, value));
    }
    return settings;
  }
  static Dict dict_of(Call& call, const Settings& settings, List params) {
    Dict dict;
    for (const auto& [name, setting] : Runtime::items(settings)) {
      dict.items.emplace_back(name, value_of(call, setting));
    }
    dict.items.emplace_back("params", std::move(params));
    return dict;
  }
  static Dict dict_of(Call& call, const auto& tensors) {
    Dict dict;
    for (const auto& [name, tensor] : tensors) {
      dict.items.emplace_back(std::string(name), tensor.defined() ? call.give(tensor) : Value());
    }
    return dict;
  }

  /// Of a client's dict.
  static Saved saved_from(Call& call, const Dict& dict) {
    Saved saved;
    for (const auto& [key, value] : dict.items) {
      const auto* name = key.template get_if<std::string>();
      const List* groups = value.template get_if<List>();
      if (name != nullptr && *name == "state") {
        read_state(call, dict_in(value, "'state'"), saved);
      } else if (name != nullptr && *name == "param_groups" && groups != nullptr) {
        saved.groups.emplace();
        for (const Value& group : groups->items) read_group(call, dict_in(group, "a group"), saved);
      } else {
        throw InvalidArgument("a saved optimizer has 'state' and 'param_groups', and no more");
      }
    }
    return saved;
  }
  static void read_state(Call& call, const Dict& states, Saved& saved) {
    saved.state.emplace();
    for (const auto& [number, kept] : states.items) {
      auto& state = Runtime::add_state(saved, number_in(number));
      for (const auto& [key, value] : dict_in(kept, "a parameter's state").items) {
        const std::string& name = text_in(key);
        Runtime::set_tensor(state, name, state_tensor(call, name, value));
      }
    }
  }
  static Tensor state_tensor(Call& call, const std::string& name, const Value& value) {
    if (value.is_none()) return {};
    if (name != "step") return call.tensor_from(value);
    if (const auto* truth = value.get_if<bool>()) return Runtime::tensor_of_step(call, *truth);
    if (const auto* real = value.get_if<double>()) return Runtime::tensor_of_step(call, *real);
    const auto* whole = value.get_if<std::int64_t>();
    if (whole == nullptr) return call.tensor_from(value);
    return Runtime::tensor_of_step(call, static_cast<double>(*whole));
  }
  static void read_group(Call& call, const Dict& dict, Saved& saved) {
    auto& group = saved.groups->emplace_back();
    group.settings = settings_from(call, dict);
    bool has_params = false;
    for (const auto& [key, value] : dict.items) {
      if (text_in(key) != "params") continue;
      has_params = true;
      const List* numbers = value.template get_if<List>();
      if (numbers == nullptr) throw InvalidArgument("'params' must be a list");
      for (const Value& number : numbers->items) {
        Runtime::params_of(group).push_back(number_in(number));
      }
    }
    Runtime::check_has_params(has_params);
  }
};

}  // namespace assay
