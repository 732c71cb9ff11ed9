// Implements saving and loading.
#include "reference/optim/state_dict.hpp"

#include <algorithm>
#include <map>

#include "reference/core/tensor/copy.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

/// Settings that a saved group may lack: then disabled, whatever the optimizer has (OPT-012).
constexpr const char* kOptional[] = {
    "nesterov",       "amsgrad",    "maximize", "foreach",
    "differentiable", "capturable", "fused",    "decoupled_weight_decay"};

/// The disabled value; foreach and, since 2.x, Adam's fused are left unset.
Setting off(const Runtime& runtime, const Optimizer& optimizer, std::string_view name) {
  const bool is_adam = optimizer.defaults().find("betas") != nullptr;
  const bool is_left = name == "foreach" ||
                       (name == "fused" && is_adam && runtime.contract().at_least(Release::k2_4));
  return is_left ? Setting(std::monostate{}) : Setting(false);
}

void adopt_settings(Runtime& runtime, Optimizer& optimizer,
                    const std::vector<StateDict::Group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Settings settings = groups[i].settings;
    for (const auto& [name, setting] : groups[i].settings.items()) {
      const auto* tensor = std::get_if<Tensor>(&setting);
      if (tensor != nullptr) settings.set(name, clone(runtime, *tensor));  // OPT-023
    }
    for (const char* name : kOptional) {
      const Setting* own = optimizer.defaults().find(name);
      if (settings.find(name) != nullptr || own == nullptr) continue;
      settings.set(name, off(runtime, optimizer, name));
    }
    optimizer.set_settings(i, std::move(settings));
  }
}

/// Adam requires a counter in each loaded state; in 1.13 only in the first (OPT-012).
void check_counters(const Runtime& runtime, Optimizer& optimizer) {
  if (optimizer.defaults().find("betas") == nullptr) return;
  for (const Tensor& param : optimizer.params()) {
    const ParamState& held = optimizer.state_of(param);
    if (held.tensors().empty()) continue;
    check(held.find("step") != nullptr, ErrorKind::kKey, [] { return "'step'"; });
    if (runtime.contract().release == Release::k1_13) return;
  }
}

/// Since 2.11 AdamW is an Adam with a setting, which loading must not change.
void keep_decoupled(Optimizer& optimizer) {
  const Setting* own = optimizer.defaults().find("decoupled_weight_decay");
  if (own == nullptr || !optimizer.defaults().is_on("decoupled_weight_decay")) return;
  for (std::size_t i = 0; i < optimizer.groups().size(); ++i) {
    optimizer.set_setting(i, "decoupled_weight_decay", true);
  }
}

void check_fits(const Optimizer& optimizer, const std::vector<StateDict::Group>& groups) {
  check(groups.size() == optimizer.groups().size(), ErrorKind::kValue,
        [] { return "loaded state dict has a different number of parameter groups"; });
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool fits = groups[i].params.size() == optimizer.groups()[i].params.size();
    check(fits, ErrorKind::kValue, [] {
      return "loaded state dict contains a parameter group that doesn't match the size of "
             "optimizer's group";
    });
  }
}

/// A parameter, and whether its saved group used the fused form.
struct Target {
  Tensor param;
  bool is_fused = false;
};

std::map<std::int64_t, Target> targets_of(const Optimizer& optimizer,
                                          const std::vector<StateDict::Group>& groups) {
  std::map<std::int64_t, Target> targets;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::vector<Tensor>& params = optimizer.groups()[i].params;
    for (std::size_t k = 0; k < params.size() && k < groups[i].params.size(); ++k) {
      targets[groups[i].params[k]] = {
          params[k], groups[i].settings.is_on("fused") || groups[i].settings.is_on("capturable")};
    }
  }
  return targets;
}

/// Moments are converted to the parameter's dtype and device. A counter stays float32 and keeps its
/// device unless the step is fused.
Tensor converted(Runtime& runtime, const std::string& name, const Tensor& tensor,
                 const Target& target) {
  ToOptions options;
  options.copy = runtime.contract().release == Release::k1_13;
  const bool is_counter = name == "step";
  const bool keeps_type = is_counter && !target.is_fused;
  if (!keeps_type) {
    const ScalarType of_param =
        is_floating(target.param.dtype()) ? target.param.dtype() : tensor.dtype();
    options.dtype = is_counter ? ScalarType::kFloat : of_param;
    options.device = target.param.device();
  }
  return tensor.defined() ? to(runtime, tensor, options) : tensor;
}

}  // namespace

StateDict state_dict(Optimizer& optimizer) {
  StateDict made{.state = {{}}, .groups = {{}}};
  std::int64_t next = 0;
  for (const ParamGroup& group : optimizer.groups()) {
    std::map<const void*, std::int64_t> numbers;  // for a duplicate parameter, the last number
    for (const Tensor& param : group.params) numbers[param.identity()] = next++;
    StateDict::Group& saved = made.groups->emplace_back(StateDict::Group{group.settings, {}});
    for (const Tensor& param : group.params) {
      const std::int64_t number = numbers[param.identity()];
      saved.params.push_back(number);
      const ParamState& kept = optimizer.state_of(param);
      const auto is_known = [&](const auto& entry) { return entry.first == number; };
      if (kept.tensors().empty() || std::ranges::any_of(*made.state, is_known)) continue;
      made.state->emplace_back(number, kept);
    }
  }
  return made;
}

void load_state_dict(Runtime& runtime, Optimizer& optimizer, const StateDict& saved) {
  check(saved.groups.has_value(), ErrorKind::kKey, [] { return "'param_groups'"; });
  check_fits(optimizer, *saved.groups);
  check(saved.state.has_value(), ErrorKind::kKey, [] { return "'state'"; });

  const std::map<std::int64_t, Target> targets = targets_of(optimizer, *saved.groups);
  for (const Tensor& param : optimizer.params()) optimizer.set_state(param, {});
  for (const auto& [number, kept] : *saved.state) {
    const auto target = targets.find(number);
    if (target == targets.end()) continue;
    ParamState loaded;
    for (const auto& [name, tensor] : kept.tensors()) {
      loaded.set(name, converted(runtime, name, tensor, target->second));
    }
    optimizer.set_state(target->second.param, std::move(loaded));
  }
  adopt_settings(runtime, optimizer, *saved.groups);
  check_counters(runtime, optimizer);
  keep_decoupled(optimizer);
}

}  // namespace assay::reference
