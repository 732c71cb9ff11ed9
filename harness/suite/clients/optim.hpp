// The typed client of the area optim: optimizers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// An attribute that a scaler sets on an optimizer for one step: `grad_scale` or `found_inf`.
struct ScalerAttribute {
  bool present = false;
  Value value;
};

/// A saved optimizer: its name and its contents.
struct SavedOptimizer {
  Ref ref;
  Dict state;                ///< by number of the parameter
  std::vector<Dict> groups;  ///< settings, and numbers of parameters
};

/// An optimizer of the subject, referred to by name. Converts to a value.
class OptimizerHandle {
 public:
  OptimizerHandle(Session& session, std::string name)
      : session_(&session), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }

  Value step() const;
  /// Calls `step` with a closure.
  Value step(const Value& closure) const;
  void zero_grad(std::optional<bool> set_to_none = {}) const;
  /// One dict per parameter, in order.
  std::vector<Dict> state() const;
  ScalerAttribute get(std::string_view attribute) const;
  void set(std::string_view attribute, Value value) const;
  /// The number of times its step ran.
  std::int64_t calls() const;
  /// The settings of each group by name, and its `params`.
  std::vector<Dict> groups() const;
  void set_setting(std::int64_t group, std::string_view name, Value value) const;
  void add_param_group(const std::vector<Value>& params, Dict settings = {}) const;
  SavedOptimizer state_dict() const;
  /// Loads a result of `state_dict`, or a dict.
  void load_state_dict(Value state) const;
  /// `when` is `pre` or `post`. Returns the handle for `remove_hook`.
  Ref hook(std::string_view when, const Callable& call) const;

 private:
  Session* session_;
  std::string name_;
};

/// Absent members are not sent, so that the subject's defaults apply.
struct SgdOptions {
  std::vector<Value> params = {};  ///< references, or lists of them for several groups
  std::optional<double> lr = 0.0;  ///< not sent if empty
  std::optional<double> momentum = {};
  std::optional<double> dampening = {};
  std::optional<double> weight_decay = {};
  std::optional<bool> nesterov = {};
  std::optional<bool> maximize = {};
  std::optional<std::string> mode = {};  ///< `plain`, `foreach`, `fused`, `default`
};

struct AdamOptions {
  std::vector<Value> params = {};
  std::optional<double> lr = 0.0;  ///< not sent if empty
  std::optional<std::vector<double>> betas = {};
  std::optional<double> eps = {};
  std::optional<double> weight_decay = {};
  std::optional<bool> decoupled = {};  ///< AdamW
  std::optional<bool> amsgrad = {};
  std::optional<bool> maximize = {};
  std::optional<std::string> mode = {};
};

struct CustomOptimizerOptions {
  std::vector<Value> params = {};
  Callable step =
      {};  ///< `$0` … positional arguments, `$closure` … keyword arguments, `$optimizer`
  std::optional<bool> supports_amp_scaling = {};
  std::optional<bool> takes_grad_scaler = {};
};

class OptimClient {
 public:
  explicit OptimClient(Session& session) : session_(&session) {}

  OptimizerHandle sgd(const SgdOptions& options) const;
  OptimizerHandle adam(const AdamOptions& options) const;
  OptimizerHandle custom(const CustomOptimizerOptions& options) const;
  /// An existing optimizer with that name, such as `$optimizer` inside a callback.
  OptimizerHandle named(std::string name) const { return {*session_, std::move(name)}; }
  void remove_hook(const Ref& hook) const { session_->send("optim.remove_hook", {{"hook", hook}}); }
  /// Returns the norm.
  Value clip_grad_norm_(const std::vector<Value>& params, double max_norm) const;

 private:
  OptimizerHandle make(std::string verb, Fields with) const;

  Session* session_;
};

}  // namespace assay
