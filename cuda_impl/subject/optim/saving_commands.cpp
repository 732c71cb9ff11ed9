// Area optim: groups and settings, hooks, saving and loading.
#include "cuda_impl/optim/saved.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/optim/settings.hpp"
#include "cuda_impl/subject/optim/steps.hpp"

namespace assay::cuda {
namespace {

Dict group_to_waist(const Settings& settings, List params) {
  Dict group;
  group.items.emplace_back("params", std::move(params));
  for (const auto& [name, setting] : settings) {
    group.items.emplace_back(name, setting_to_waist(setting));
  }
  return group;
}

const Dict& dict_in(const Value& value, const char* what) {
  const Dict* dict = value.get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument(std::string(what) + " must be a dict");
  return *dict;
}

std::int64_t number_in(const Value& value) {
  const auto* number = value.get_if<std::int64_t>();
  if (number == nullptr) throw InvalidArgument("saved parameters have numbers");
  return *number;
}

void read_state(Call& call, const Dict& states, Saved& saved) {
  saved.state.emplace();
  for (const auto& [number, kept] : states.items) {
    std::vector<NamedTensor>& tensors = (*saved.state)[number_in(number)];
    for (const auto& [key, value] : dict_in(kept, "what is kept").items) {
      const auto* name = key.get_if<std::string>();
      if (name == nullptr) throw InvalidArgument("what is kept has texts for names");
      tensors.push_back({*name, value.is_none() ? Tensor() : call.tensor_from(value)});
    }
  }
}

void read_groups(const List& described, Saved& saved) {
  saved.groups.emplace();
  for (const Value& group : described.items) {
    const Dict& dict = dict_in(group, "a saved group");
    SavedGroup& made = saved.groups->emplace_back(SavedGroup{settings_from_waist(dict), {}});
    for (const auto& [key, value] : dict.items) {
      const List* numbers = *key.get_if<std::string>() == "params" ? value.get_if<List>() : nullptr;
      if (numbers == nullptr) continue;
      for (const Value& number : numbers->items) made.numbers.push_back(number_in(number));
    }
  }
}

/// By value: a client's dict. Tensor names are the dict's own strings.
Saved saved_by_value(Call& call, const Dict& dict) {
  Saved saved;
  for (const auto& [key, value] : dict.items) {
    const auto* name = key.get_if<std::string>();
    const List* described = value.get_if<List>();
    if (name != nullptr && *name == "state") {
      read_state(call, dict_in(value, "'state'"), saved);
    } else if (name != nullptr && *name == "param_groups" && described != nullptr) {
      read_groups(*described, saved);
    } else {
      throw InvalidArgument("a saved optimizer has 'state' and 'param_groups', no more");
    }
  }
  return saved;
}

/// Removes a hook.
struct HookTaker {
  std::shared_ptr<Optimizer> optimizer;
  std::uint64_t hook;
};

}  // namespace

void optim_groups(Call& call) {
  List described;
  for (const ParamGroup& group : optimizer_argument(call)->groups()) {
    List params;
    for (const Tensor& param : group.params) params.items.push_back(call.give(param));
    described.items.emplace_back(group_to_waist(group.settings, std::move(params)));
  }
  call.result(Value(std::move(described)));
}

void optim_set_setting(Call& call) {
  const auto optimizer = optimizer_argument(call);
  const std::int64_t group = call.arguments().integer("group", 0);
  if (group < 0) throw InvalidArgument("groups are counted from 0");
  optimizer->set_setting(static_cast<std::size_t>(group), call.arguments().text("name"),
                         setting_from_waist(call.arguments().value("value")));
}

void optim_add_param_group(Call& call) {
  const auto optimizer = optimizer_argument(call);
  ParamGroup group{call.tensors("params"), {}};
  if (call.has("settings")) {
    group.settings = settings_from_waist(dict_in(call.arguments().value("settings"), "'settings'"));
  }
  optimizer->add_param_group(std::move(group));
}

void optim_state_dict(Call& call) {
  const auto saved = std::make_shared<Saved>(save(*optimizer_argument(call)));
  Dict state;
  for (const auto& [number, tensors] : *saved->state) {
    Dict kept;
    for (const auto& [name, tensor] : tensors) {
      kept.items.emplace_back(std::string(name), tensor.defined() ? call.give(tensor) : Value());
    }
    state.items.emplace_back(number, std::move(kept));
  }
  List described;
  for (const SavedGroup& group : *saved->groups) {
    List numbers;
    for (const std::int64_t number : group.numbers) numbers.items.emplace_back(number);
    described.items.emplace_back(group_to_waist(group.settings, std::move(numbers)));
  }
  call.set("state", Value(std::move(state)));
  call.set("groups", Value(std::move(described)));
  call.result(Object(saved, "state_dict"));
}

void optim_load_state_dict(Call& call) {
  const auto optimizer = optimizer_argument(call);
  const Dict* dict = call.arguments().value("state").get_if<Dict>();
  if (dict != nullptr) return load(call.session(), *optimizer, saved_by_value(call, *dict));
  load(call.session(), *optimizer, *call.held<Saved>("state", "state_dict"));
}

void optim_hook(Call& call) {
  const auto optimizer = optimizer_argument(call);
  const std::string when = call.arguments().text("when");
  if (when != "pre" && when != "post") throw InvalidArgument("hooks run 'pre' or 'post'");
  const Callable* callable = call.arguments().value("call").get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("'call' must be something callable");
  const auto run = [name = callable->name](const std::shared_ptr<Optimizer>& stepped) {
    Call& now = Call::current();
    now.call_back(name, {now.lend(Object(stepped, "optimizer"))});
  };
  const std::uint64_t added = optimizer->add_hook(when == "pre", run);
  call.result(Object(std::make_shared<HookTaker>(HookTaker{optimizer, added}), "hook"));
}

void optim_remove_hook(Call& call) {
  const auto taker = call.held<HookTaker>("hook", "hook");
  taker->optimizer->remove_hook(taker->hook);
}

}  // namespace assay::cuda
