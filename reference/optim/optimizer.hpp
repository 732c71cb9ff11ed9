// The interface of optimizers for gradient scalers: parameters, a step, and two lent attributes;
// the settings of a parameter group.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

// The settings of a parameter group, by PyTorch's names.

/// None, a bool, an int, a float, a list of floats (`betas`), or a tensor (`lr`).
using Setting =
    std::variant<std::monostate, bool, std::int64_t, double, std::vector<double>, Tensor>;

class Settings {
 public:
  using Item = std::pair<std::string, Setting>;

  Settings() = default;
  Settings(std::initializer_list<Item> items) : items_(items) {}

  /// Null for an unknown name.
  const Setting* find(std::string_view name) const;
  void set(std::string_view name, Setting value);
  /// Adds the settings of `others` that are missing here.
  void complete(const Settings& others);
  const std::vector<Item>& items() const { return items_; }

  /// Accepts ints and floats. Raises `key` for a missing setting, `type` for another kind.
  double real(std::string_view name) const;
  /// False if the setting is None or missing.
  bool is_on(std::string_view name) const;
  /// Returns a list's element. Raises like `real`.
  double real_in(std::string_view name, std::size_t index) const;

 private:
  const Setting& need(std::string_view name) const;

  std::vector<Item> items_;
};

// Optimizers.

class Optimizer;

/// One entry for each device, in order of first use. The tensors are live.
using FoundInfMap = std::vector<std::pair<Device, Tensor>>;

/// The interface of the scaler that is passed to a step (SCL-608).
class PassedScaler {
 public:
  virtual ~PassedScaler() = default;
  virtual Tensor scale_tensor() = 0;
  virtual FoundInfMap check_inf_per_device(Optimizer& optimizer) = 0;
};

using NamedArguments = std::vector<std::pair<std::string, std::any>>;

/// The arguments of a step, passed through unchanged.
struct StepCall {
  std::vector<std::any> positional = {};
  NamedArguments named = {};
  /// The keyword `grad_scaler`; set if the optimizer accepts it.
  std::shared_ptr<PassedScaler> grad_scaler = nullptr;
  /// Calls a client callable, such as a closure or custom step. Null if that is impossible.
  std::function<std::any(const std::any& callee, const std::vector<std::any>& positional,
                         const NamedArguments& named)>
      invoke = {};

  const std::any* keyword(const std::string& name) const;
};

/// The value of `grad_scale` or `found_inf`: None, an int, a float or a tensor.
using ScalerAttribute = std::variant<std::monostate, std::int64_t, double, Tensor>;

struct ParamGroup {
  std::vector<Tensor> params;
  Settings settings = {};
};

/// The named state tensors of a parameter, in creation order. An undefined tensor is None.
class ParamState {
 public:
  /// Null for an unknown name.
  const Tensor* find(const std::string& name) const;
  void set(const std::string& name, Tensor tensor);
  void erase(const std::string& name);
  const std::vector<std::pair<std::string, Tensor>>& tensors() const { return tensors_; }

 private:
  std::vector<std::pair<std::string, Tensor>> tensors_;
};

/// Called before or after a step.
using StepHook = std::function<void(const std::shared_ptr<Optimizer>& optimizer)>;

class Optimizer : public std::enable_shared_from_this<Optimizer> {
 public:
  /// Missing settings of groups are taken from `defaults`. Raises like `add_param_group`.
  Optimizer(Runtime& runtime, std::vector<ParamGroup> groups, Settings defaults = {});
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Returns the result of the step; empty for None.
  std::any step(const StepCall& call);
  /// Before 2.0 the default was to zero gradients instead of dropping them.
  void zero_grad(std::optional<bool> set_to_none);
  /// Raises `value` for a parameter that is not a leaf or belongs to another group (OPT-001).
  void add_param_group(ParamGroup group);
  /// Every step reads the settings anew. Raises `index` for an invalid group.
  void set_setting(std::size_t group, std::string_view name, Setting value);
  void set_settings(std::size_t group, Settings settings);
  /// Returns a token for `remove_hook`. Raises `attribute` before 2.0 (OPT-013).
  std::int64_t add_hook(bool is_before, StepHook hook);
  void remove_hook(std::int64_t token);

  /// SCL-601.
  virtual bool supports_amp_scaling() const { return false; }
  /// Returns whether the step has a parameter named `grad_scaler` (SCL-608).
  virtual bool takes_grad_scaler() const { return false; }

  const std::vector<ParamGroup>& groups() const { return groups_; }
  std::vector<Tensor> params() const;
  const ParamState& state_of(const Tensor& param) { return state(param); }
  /// Replaces the parameter's previous state.
  void set_state(const Tensor& param, ParamState kept) { state(param) = std::move(kept); }
  /// The settings for groups that do not specify them.
  const Settings& defaults() const { return defaults_; }
  /// Unique in the process (SCL-901).
  std::uint64_t id() const { return id_; }
  std::int64_t calls() const { return calls_; }

  std::optional<ScalerAttribute> grad_scale;
  std::optional<ScalerAttribute> found_inf;

 protected:
  Runtime& runtime() const { return runtime_; }
  /// The parameters of the group that have gradients.
  std::vector<Tensor> with_gradients(const ParamGroup& group) const;
  ParamState& state(const Tensor& param) { return states_[param.identity()]; }
  /// Calls the closure, if given, and returns its loss. Raises `type` for arguments that the step
  /// does not accept.
  std::any call_closure(const StepCall& call) const;

 private:
  struct KeptHook {
    std::int64_t token;
    bool is_before;
    StepHook call;
  };

  virtual std::any run(const StepCall& call) = 0;
  void call_hooks(bool is_before);

  Runtime& runtime_;
  Settings defaults_;
  std::vector<ParamGroup> groups_;
  std::vector<KeptHook> hooks_;
  std::int64_t last_hook_ = 0;
  std::map<const void*, ParamState> states_;
  std::uint64_t id_;
  std::int64_t calls_ = 0;
};

enum class OptimizerMode : std::uint8_t { kPlain, kForeach, kFused };

/// The settings with numbers in place of tensors, which are read now (OPT-023).
Settings as_numbers(Runtime& runtime, Settings settings);
/// OPT-023: raises `value` for a rate of several elements or of none.
void check_rate(const Runtime& runtime, const Settings& settings);

/// Evaluates `foreach` and `fused`; if both are unset, uses PyTorch's choice for these parameters
/// (OPT-014).
OptimizerMode mode_of(const Runtime& runtime, const Settings& settings,
                      const std::vector<Tensor>& params);
/// The settings that select a mode.
void set_mode(Settings& settings, OptimizerMode mode);

/// An optimizer whose step is client code.
class CustomOptimizer final : public Optimizer {
 public:
  struct Traits {
    bool supports_amp_scaling = false;
    bool takes_grad_scaler = false;
  };

  /// `step` receives the step's arguments and the keywords `optimizer` (a shared Optimizer) and, if
  /// it is passed, `grad_scaler` (a shared PassedScaler).
  CustomOptimizer(Runtime& runtime, std::vector<ParamGroup> groups, std::any step, Traits traits)
      : Optimizer(runtime, std::move(groups)), step_(std::move(step)), traits_(traits) {}

  bool supports_amp_scaling() const override { return traits_.supports_amp_scaling; }
  bool takes_grad_scaler() const override { return traits_.takes_grad_scaler; }

 private:
  std::any run(const StepCall& call) override;

  std::any step_;
  Traits traits_;
};

}  // namespace assay::reference
