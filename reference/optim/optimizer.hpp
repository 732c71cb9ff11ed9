// What every optimizer is to a gradient scaler: parameters, a step, and two attributes that are
// lent to it.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/optim/settings.hpp"

namespace assay::reference {

class Optimizer;

/// One entry a device, in the order first seen. The tensors are live.
using FoundInfMap = std::vector<std::pair<Device, Tensor>>;

/// What an optimizer may ask of the scaler that is passed to its step (SCL-608).
class PassedScaler {
 public:
  virtual ~PassedScaler() = default;
  virtual Tensor scale_tensor() = 0;
  virtual FoundInfMap check_inf_per_device(Optimizer& optimizer) = 0;
};

using NamedArguments = std::vector<std::pair<std::string, std::any>>;

/// The arguments of one step, handed on untouched.
struct StepCall {
  std::vector<std::any> positional = {};
  NamedArguments named = {};
  /// The keyword `grad_scaler`, where the optimizer takes it.
  std::shared_ptr<PassedScaler> grad_scaler = nullptr;
  /// Calls something that came from outside: a closure, a custom step. Empty where nothing can be.
  std::function<std::any(const std::any& callee, const std::vector<std::any>& positional,
                         const NamedArguments& named)>
      invoke = {};

  const std::any* keyword(const std::string& name) const;
};

/// `grad_scale` or `found_inf`: None, an int, a float or a tensor.
using LentAttribute = std::variant<std::monostate, std::int64_t, double, Tensor>;

struct ParamGroup {
  std::vector<Tensor> params;
  Settings settings = {};
};

/// Tensors of a parameter by name, in the order made. An undefined one is None.
class ParamState {
 public:
  /// Null when there is none.
  const Tensor* find(const std::string& name) const;
  void set(const std::string& name, Tensor tensor);
  void erase(const std::string& name);
  const std::vector<std::pair<std::string, Tensor>>& tensors() const { return tensors_; }

 private:
  std::vector<std::pair<std::string, Tensor>> tensors_;
};

/// What an optimizer calls before and after its steps.
using StepHook = std::function<void(const std::shared_ptr<Optimizer>& optimizer)>;

class Optimizer : public std::enable_shared_from_this<Optimizer> {
 public:
  /// Every group gets the settings that it lacks from `defaults`. Raises as `add_param_group` does.
  Optimizer(Runtime& runtime, std::vector<ParamGroup> groups, Settings defaults = {});
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Returns what the optimizer returns; empty for None.
  std::any step(const StepCall& call);
  /// Releases before 2.0 kept zeroed gradients unless told otherwise.
  void zero_grad(std::optional<bool> set_to_none);
  /// Raises `value` for a parameter that is no leaf, or is in another group (OPT-001).
  void add_param_group(ParamGroup group);
  /// Steps read their settings anew each time. Raises `index` where there is no such group.
  void set_setting(std::size_t group, std::string_view name, Setting value);
  void set_settings(std::size_t group, Settings settings);
  /// A token for `remove_hook`. Raises `attribute` before 2.0 (OPT-013).
  std::int64_t add_hook(bool is_before, StepHook hook);
  void remove_hook(std::int64_t token);

  /// SCL-601.
  virtual bool supports_amp_scaling() const { return false; }
  /// Has its step a parameter named `grad_scaler` (SCL-608)?
  virtual bool takes_grad_scaler() const { return false; }

  const std::vector<ParamGroup>& groups() const { return groups_; }
  std::vector<Tensor> params() const;
  const ParamState& state_of(const Tensor& param) { return state(param); }
  /// What was kept for the parameter so far is gone.
  void set_state(const Tensor& param, ParamState kept) { state(param) = std::move(kept); }
  /// Settings that a group was not given.
  const Settings& defaults() const { return defaults_; }
  /// Never used twice in a process (SCL-901).
  std::uint64_t id() const { return id_; }
  std::int64_t calls() const { return calls_; }

  std::optional<LentAttribute> grad_scale;
  std::optional<LentAttribute> found_inf;

 protected:
  Runtime& runtime() const { return runtime_; }
  /// Those of the group that have a gradient.
  std::vector<Tensor> with_gradients(const ParamGroup& group) const;
  ParamState& state(const Tensor& param) { return states_[param.identity()]; }
  /// Evaluates the closure, if there is one, and returns its loss. Raises `type` for arguments that
  /// the step does not have.
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

/// The settings `foreach` and `fused`; where neither says anything, what PyTorch chooses for the
/// parameters that are to be stepped (OPT-014).
OptimizerMode mode_of(const Runtime& runtime, const Settings& settings,
                      const std::vector<Tensor>& params);
/// The settings that stand for a mode.
void set_mode(Settings& settings, OptimizerMode mode);

/// One whose step is somebody else's code.
class CustomOptimizer final : public Optimizer {
 public:
  struct Traits {
    bool supports_amp_scaling = false;
    bool takes_grad_scaler = false;
  };

  /// `step` is called with the step's arguments, and with the keywords `optimizer` (a shared
  /// Optimizer) and, where it is passed, `grad_scaler` (a shared PassedScaler).
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
