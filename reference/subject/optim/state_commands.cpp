// Area optim: parameter groups, their settings, saved state, and hooks.
#include <algorithm>

#include "reference/core/tensor/factory.hpp"
#include "reference/optim/state_dict.hpp"
#include "reference/subject/optim/commands.hpp"
#include "reference/subject/steps.hpp"

namespace assay::reference {

Setting setting_from(const Value& value) {
  if (value.is_none()) return std::monostate{};
  if (const auto* truth = value.get_if<bool>()) return *truth;
  if (const auto* whole = value.get_if<std::int64_t>()) return *whole;
  if (const auto* real = value.get_if<double>()) return *real;
  const auto* tuple = value.get_if<Tuple>();
  const auto* list = value.get_if<List>();
  if (tuple == nullptr && list == nullptr) {
    throw InvalidArgument("no setting is a " + std::string(kind_of(value)));
  }
  std::vector<double> numbers;
  for (const Value& item : tuple != nullptr ? tuple->items : list->items) {
    const auto number = scalar_from(item);
    if (!number) throw InvalidArgument("a setting was expected to hold numbers");
    numbers.push_back(number->real());
  }
  return numbers;
}

Value to_value(const Setting& setting) {
  if (const auto* truth = std::get_if<bool>(&setting)) return *truth;
  if (const auto* whole = std::get_if<std::int64_t>(&setting)) return *whole;
  if (const auto* real = std::get_if<double>(&setting)) return *real;
  const auto* numbers = std::get_if<std::vector<double>>(&setting);
  if (numbers == nullptr) return None{};
  Tuple tuple;
  for (const double number : *numbers) tuple.items.emplace_back(number);
  return tuple;
}

Settings settings_from(const Dict& dict) {
  Settings settings;
  for (const auto& [key, value] : dict.items) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr) throw InvalidArgument("the names of settings are texts");
    if (*name != "params") settings.set(*name, setting_from(value));
  }
  return settings;
}

namespace {

Dict dict_of(const Settings& settings, Value params) {
  Dict dict;
  for (const auto& [name, setting] : settings.items()) {
    dict.items.emplace_back(name, to_value(setting));
  }
  dict.items.emplace_back("params", std::move(params));
  return dict;
}

Dict dict_of(Call& call, const ParamState& kept) {
  Dict dict;
  for (const auto& [name, tensor] : kept.tensors()) {
    dict.items.emplace_back(name, tensor.defined() ? call.give(tensor) : Value(None{}));
  }
  return dict;
}

ParamState kept_from(Call& call, const Value& value) {
  const Dict* dict = value.get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("the state of a parameter must be a dict");
  ParamState kept;
  for (const auto& [key, item] : dict->items) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr) throw InvalidArgument("the names of a state are texts");
    const auto number = *name == "step" ? scalar_from(item) : std::nullopt;  // as 1.11 saved it
    kept.set(*name,
             number ? scalar_tensor(call.runtime(), number->real(), ScalarType::kFloat, kCpuDevice)
             : item.is_none() ? Tensor{}
                              : call.tensor_from(item));
  }
  return kept;
}

StateDict::Group group_from(const Value& value) {
  const Dict* dict = value.get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("a saved group must be a dict");
  StateDict::Group group{settings_from(*dict), {}};
  const auto is_params = [](const auto& item) { return identical(item.first, Value("params")); };
  check(std::ranges::any_of(dict->items, is_params), ErrorKind::kKey, [] { return "'params'"; });
  for (const auto& [key, item] : dict->items) {
    const auto* name = key.get_if<std::string>();
    const List* numbers = item.get_if<List>();
    if (*name != "params" || numbers == nullptr) continue;
    for (const Value& number : numbers->items) {
      const auto* whole = number.get_if<std::int64_t>();
      if (whole == nullptr) throw InvalidArgument("a saved group numbers its parameters");
      group.params.push_back(*whole);
    }
  }
  return group;
}

StateDict saved_from(Call& call, const Dict& dict) {
  StateDict saved;
  for (const auto& [key, value] : dict.items) {
    const auto* name = key.get_if<std::string>();
    if (name != nullptr && *name == "state" && value.is<Dict>()) {
      auto& states = saved.state.emplace();
      for (const auto& [number, kept] : value.get_if<Dict>()->items) {
        const auto* whole = number.get_if<std::int64_t>();
        if (whole == nullptr) throw InvalidArgument("a saved state numbers its parameters");
        states.emplace_back(*whole, kept_from(call, kept));
      }
    } else if (name != nullptr && *name == "param_groups" && value.is<List>()) {
      auto& saved_groups = saved.groups.emplace();
      for (const Value& group : value.get_if<List>()->items) {
        saved_groups.push_back(group_from(group));
      }
    } else {
      throw InvalidArgument("a saved optimizer has 'state' and 'param_groups'");
    }
  }
  return saved;
}

/// A hook, which is removed by its token.
struct HookHandle {
  std::shared_ptr<Optimizer> optimizer;
  std::int64_t token = 0;
};

}  // namespace

void optim_groups(Call& call) {
  List list;
  for (const ParamGroup& group : optimizer_argument(call)->groups()) {
    List params;
    for (const Tensor& param : group.params) params.items.emplace_back(call.give(param));
    list.items.emplace_back(dict_of(group.settings, std::move(params)));
  }
  call.result(Value(std::move(list)));
}

void optim_set_setting(Call& call) {
  Arguments& given = call.arguments();
  const std::int64_t group = given.integer("group", 0);
  if (group < 0) throw InvalidArgument("'group' must not be below 0");
  optimizer_argument(call)->set_setting(static_cast<std::size_t>(group), given.text("name"),
                                        setting_from(given.value("value")));
}

void optim_add_param_group(Call& call) {
  ParamGroup group{call.tensors("params"), {}};
  if (call.has("settings")) {
    const Dict* dict = call.arguments().value("settings").get_if<Dict>();
    if (dict == nullptr) throw InvalidArgument("'settings' must be a dict");
    group.settings = settings_from(*dict);
  }
  optimizer_argument(call)->add_param_group(std::move(group));
}

void optim_state_dict(Call& call) {
  const auto saved = std::make_shared<StateDict>(state_dict(*optimizer_argument(call)));
  Dict states;
  for (const auto& [number, kept] : *saved->state) {
    states.items.emplace_back(number, dict_of(call, kept));
  }
  List groups_of_dict;
  for (const StateDict::Group& group : *saved->groups) {
    List numbers;
    for (const std::int64_t number : group.params) numbers.items.emplace_back(number);
    groups_of_dict.items.emplace_back(dict_of(group.settings, std::move(numbers)));
  }
  call.set("state", std::move(states));
  call.set("groups", std::move(groups_of_dict));
  call.result(Object(saved, "state_dict"));
}

void optim_load_state_dict(Call& call) {
  const auto optimizer = optimizer_argument(call);
  const Dict* dict = call.arguments().value("state").get_if<Dict>();
  const StateDict saved =
      dict != nullptr ? saved_from(call, *dict) : *call.held<StateDict>("state", "state_dict");
  load_state_dict(call.runtime(), *optimizer, saved);
}

void optim_hook(Call& call) {
  const auto* callable = call.arguments().value("call").get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("'call' must be something callable");
  const std::string when = call.arguments().text("when");
  if (when != "pre" && when != "post") throw InvalidArgument("'when' must be pre or post");
  const auto optimizer = optimizer_argument(call);
  const std::int64_t token = optimizer->add_hook(
      when == "pre", [name = callable->name](const std::shared_ptr<Optimizer>& stepped) {
        Call& now = Call::current();
        now.call_back(name, {now.lend(Object(stepped, "optimizer"))});
      });
  call.result(Object(std::make_shared<HookHandle>(HookHandle{optimizer, token}), "hook"));
}

void optim_remove_hook(Call& call) {
  const auto handle = call.held<HookHandle>("hook", "hook");
  handle->optimizer->remove_hook(handle->token);
}

}  // namespace assay::reference
