// An optimizer as its user and a gradient scaler see it: parameters, a step, and what is lent to
// it.
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

/// What a step may ask of the scaler that it is given by the keyword `grad_scaler` (SCL-608).
class ScalerInStep {
 public:
  virtual ~ScalerInStep() = default;
  /// The live scale. Raises `assertion` before there is one.
  virtual Tensor scale_in_step() = 0;
  /// Checks the optimizer's gradients as they are; one live flag a device, in the order first seen.
  virtual std::vector<Tensor> check_inf_in_step(Optimizer& optimizer) = 0;
};

/// One call of step(). What the client's arguments and results are is the client's business: they
/// pass through as they came.
struct StepCall {
  std::size_t positional = 0;         ///< how many arguments have no name
  std::vector<std::string> keywords;  ///< the names of the others
  /// Evaluates the closure, the first argument or the one named `closure`, and returns its loss.
  /// Empty where none was given, or None.
  std::function<std::any()> closure;
  /// All arguments in the client's own form, for a step that is the client's code.
  std::any arguments;
  /// The keyword `grad_scaler`, given only to steps that take it.
  std::shared_ptr<ScalerInStep> grad_scaler;

  /// SCL-303: a scaler refuses the keyword `closure`, whatever its value.
  bool has_keyword(std::string_view name) const;
};

/// The value of `grad_scale` or `found_inf`; monostate is None.
using Lent = std::variant<std::monostate, std::int64_t, double, Tensor>;

struct ParamGroup {
  std::vector<Tensor> params;
  Settings settings = {};
};

struct NamedTensor {
  std::string_view name;
  Tensor tensor;
};

/// Called with the optimizer that is about to step, or has stepped.
using StepHook = std::function<void(const std::shared_ptr<Optimizer>&)>;

/// Used by one thread at a time. Owned by shared pointers.
class Optimizer : public std::enable_shared_from_this<Optimizer> {
 public:
  /// Raises `value` where there is no group, where a parameter is in two of them, and for one that
  /// is no leaf. Groups take the settings that they lack from `defaults`.
  Optimizer(Session& session, std::vector<ParamGroup> groups, Settings defaults = {});
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Returns what the step returns, in the client's form; empty for None.
  std::any step(const StepCall& call = {});
  /// Gradients are dropped, or become zeros: the default was the latter before 2.0.
  void zero_grad(std::optional<bool> set_to_none = std::nullopt);

  /// Raises as the constructor does, and has changed nothing then.
  void add_param_group(ParamGroup group);
  /// Holds from the next step on. Raises `index` where there is no such group.
  void set_setting(std::size_t group, std::string_view name, const Setting& value);
  void set_settings(std::size_t group, Settings settings);
  const Settings& defaults() const { return defaults_; }
  /// What it returns takes the hook away again. Raises `attribute` in 1.13.
  std::uint64_t add_hook(bool before, StepHook hook);
  void remove_hook(std::uint64_t hook);

  /// SCL-601: does it unscale and skip by itself?
  virtual bool supports_amp_scaling() const { return false; }
  /// SCL-608: has its step a parameter named `grad_scaler`?
  virtual bool takes_grad_scaler() const { return false; }
  /// Does its step read what it is lent, no more, and only while it runs? Then a scaler may lend
  /// the very scale and flag that it works with.
  virtual bool only_reads_lent() const { return false; }

  const std::vector<ParamGroup>& groups() const { return groups_; }
  /// Those of all groups, in order.
  const std::vector<Tensor>& params() const { return params_; }
  /// What is kept for the parameter of that index in `params()`: live tensors by name.
  virtual std::vector<NamedTensor> state(std::size_t) { return {}; }
  /// Replaces it. Entries that nobody knows are dropped.
  virtual void set_state(std::size_t, const std::vector<NamedTensor>&) {}
  /// The first index in `params()` of the parameter of that index: they differ where one is twice
  /// in a group.
  std::size_t first_index(std::size_t index) const { return first_of_[index]; }
  /// Unique among all optimizers that the process ever made (SCL-901).
  std::uint64_t id() const { return id_; }
  /// How often step() was called.
  std::int64_t calls() const { return calls_; }

  /// Lent by a scaler for the time of a step (SCL-602), or preset by the user (SCL-604).
  std::optional<Lent> grad_scale;
  std::optional<Lent> found_inf;

 protected:
  Session& session() const { return session_; }
  std::size_t first_of(std::size_t index) const { return first_of_[index]; }
  /// There are more parameters than before: room for what is kept of them.
  virtual void make_room() {}
  /// The loss that the closure returned; empty without a closure. Raises `type` where the call has
  /// an argument that steps do not take.
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

/// What `fused` and `foreach` say; where they are open, lists on accelerators since 2.0 (OPT-014).
OptimizerMode mode_of(const Settings& settings, Release release, bool all_on_devices);
/// The setting that says so.
void write_mode(Settings& settings, OptimizerMode mode);

/// One whose step is the client's code.
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
