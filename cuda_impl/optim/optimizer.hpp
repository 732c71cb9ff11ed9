// The interface of an optimizer for users and gradient scalers: parameters, step, and lent
// attributes.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/optim/settings.hpp"

namespace assay::cuda {

class Optimizer;

/// What a step may request from the scaler that is passed as `grad_scaler` (SCL-608).
class ScalerInStep {
 public:
  virtual ~ScalerInStep() = default;
  /// Returns the live scale. Raises `assertion` if it does not exist yet.
  virtual Tensor scale_in_step() = 0;
  /// Checks the gradients without unscaling; one live flag per device, in order of first use.
  virtual std::vector<Tensor> check_inf_in_step(Optimizer& optimizer) = 0;
};

/// One call of step(). Arguments and results are in the client's representation and passed through
/// unchanged.
struct StepCall {
  std::size_t positional = 0;         ///< number of positional arguments
  std::vector<std::string> keywords;  ///< names of keyword arguments
  /// Evaluates the closure (the first argument or the one named `closure`) and returns its loss.
  /// Null without a closure.
  std::function<std::any()> closure;
  /// All arguments in the client's representation, for steps in client code.
  std::any arguments;
  /// The keyword `grad_scaler`; set only for steps that accept it.
  std::shared_ptr<ScalerInStep> grad_scaler;

  /// SCL-303: a scaler rejects the keyword `closure` whatever its value.
  bool has_keyword(std::string_view name) const;
};

/// The value of `grad_scale` or `found_inf`; monostate is None.
using ScalerAttribute = std::variant<std::monostate, std::int64_t, double, Tensor>;

struct ParamGroup {
  std::vector<Tensor> params;
  Settings settings = {};
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Called with the optimizer before or after a step.
using StepHook = std::function<void(const std::shared_ptr<Optimizer>&)>;

/// Not thread-safe. Must be owned by a shared pointer.
class Optimizer : public std::enable_shared_from_this<Optimizer> {
 public:
  /// Raises `value` for an empty list of groups, a parameter in two groups, or a parameter that is
  /// not a leaf. Missing settings of a group are taken from `defaults`.
  Optimizer(Session& session, std::vector<ParamGroup> groups, Settings defaults = {});
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Returns the step's result in the client's representation; empty for None.
  std::any step(const StepCall& call = {});
  /// Drops the gradients, or sets them to zero, which was the default before 2.0.
  void zero_grad(std::optional<bool> set_to_none = std::nullopt);

  /// Raises like the constructor; the optimizer is then unchanged.
  void add_param_group(ParamGroup group);
  /// Takes effect at the next step. Raises `index` for an invalid group.
  void set_setting(std::size_t group, std::string_view name, const Setting& value);
  void set_settings(std::size_t group, Settings settings);
  const Settings& defaults() const { return defaults_; }
  /// Returns the id for `remove_hook`. Raises `attribute` in 1.13.
  std::uint64_t add_hook(bool before, StepHook hook);
  void remove_hook(std::uint64_t hook);

  /// SCL-601: the step itself unscales and skips.
  virtual bool supports_amp_scaling() const { return false; }
  /// SCL-608: the step has a parameter named `grad_scaler`.
  virtual bool takes_grad_scaler() const { return false; }
  /// Returns whether the step only reads what it is lent, and only while it runs. Then a scaler may
  /// lend its own scale and flag.
  virtual bool only_reads_lent() const { return false; }

  const std::vector<ParamGroup>& groups() const { return groups_; }
  /// The parameters of all groups, in order.
  const std::vector<Tensor>& params() const { return params_; }
  /// The state of parameter `index` of `params()`: live tensors by name.
  virtual std::vector<NamedTensor> state(std::size_t) { return {}; }
  /// Replaces the state. Unknown entries are dropped.
  virtual void set_state(std::size_t, const std::vector<NamedTensor>&) {}
  /// The first index in `params()` of the same parameter, which differs from `index` if it occurs
  /// twice in a group.
  std::size_t first_index(std::size_t index) const { return first_of_[index]; }
  /// Unique among all optimizers of the process (SCL-901).
  std::uint64_t id() const { return id_; }
  /// The number of calls of step().
  std::int64_t calls() const { return calls_; }

  /// Lent by a scaler during a step (SCL-602), or preset by the user (SCL-604).
  std::optional<ScalerAttribute> grad_scale;
  std::optional<ScalerAttribute> found_inf;

 protected:
  Session& session() const { return session_; }
  std::size_t first_of(std::size_t index) const { return first_of_[index]; }
  /// Called before parameters are added: reads what of the state only devices know. If that fails,
  /// nothing is added.
  virtual void settle_all() {}
  /// Called when parameters were added, to extend the state.
  virtual void make_room() {}
  /// Returns the loss of the closure; empty without one. Raises `type` for arguments that steps do
  /// not accept.
  static std::any call_closure(const StepCall& call);

 private:
  struct Hook {
    std::uint64_t id;
    bool before;
    StepHook call;
  };

  virtual std::any run(const StepCall& call) = 0;
  void append(ParamGroup group);
  void call_hooks(bool before);

  Session& session_;
  Settings defaults_;
  std::vector<Hook> hooks_;
  std::vector<ParamGroup> groups_;
  std::vector<Tensor> params_;
  std::vector<std::size_t> first_of_;
  std::uint64_t id_;
  std::int64_t calls_ = 0;
};

enum class OptimizerMode : std::uint8_t { kPlain, kForeach, kFused };

/// Evaluates `fused` and `foreach`. If both are unset: foreach since 2.0 if `all_on_devices()`
/// (OPT-014).
OptimizerMode mode_of(const Settings& settings, Release release,
                      const std::function<bool()>& all_on_devices);
/// Writes the settings that select the mode.
void write_mode(Settings& settings, OptimizerMode mode);

/// An optimizer whose step is client code.
class CustomOptimizer final : public Optimizer {
 public:
  struct Traits {
    bool supports_amp_scaling = false;
    bool takes_grad_scaler = false;
  };
  using Step = std::function<std::any(const std::shared_ptr<Optimizer>& self, const StepCall&)>;

  CustomOptimizer(Session& session, std::vector<ParamGroup> groups, Step step, Traits traits)
      : Optimizer(session, std::move(groups)), step_(std::move(step)), traits_(traits) {}

  bool supports_amp_scaling() const override { return traits_.supports_amp_scaling; }
  bool takes_grad_scaler() const override { return traits_.takes_grad_scaler; }

 private:
  std::any run(const StepCall& call) override { return step_(shared_from_this(), call); }

  Step step_;
  Traits traits_;
};

}  // namespace assay::cuda
