// The typed client of the area optim: optimizers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <waist/calls/optim.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

/// An attribute that a scaler sets on an optimizer for one step: `grad_scale` or `found_inf`.
struct ScalerAttribute {
  bool present = false;
  Value value;
  static ScalerAttribute from(const Reply& reply);
};

/// A saved optimizer: its name and its contents.
struct SavedOptimizer {
  Ref ref;
  Dict state;                ///< by number of the parameter
  std::vector<Dict> groups;  ///< settings, and numbers of parameters
};

class OptimizerHandle : public OptimizerHandleCalls {
 public:
  using OptimizerHandleCalls::OptimizerHandleCalls;

  Value step() const;
  /// Calls `step` with a closure.
  Value step(const Value& closure) const;
  void set_setting(std::int64_t group, std::string_view name, Value value) const;
  void add_param_group(const std::vector<Value>& params, Dict settings = {}) const;
  SavedOptimizer state_dict() const;
};

/// Absent members are not sent, so that the subject's defaults apply.
struct SgdOptions {
  std::vector<Value> params = {};  ///< references, or lists of them for several groups
  std::optional<double> lr = 0.0;  ///< not sent if empty
  std::optional<Value> rate = {};  ///< sent as `lr`: a tensor
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
  std::optional<Value> rate = {};  ///< sent as `lr`: a tensor
  std::optional<std::vector<double>> betas = {};
  std::optional<double> eps = {};
  std::optional<double> weight_decay = {};
  std::optional<bool> decoupled = {};  ///< AdamW
  std::optional<bool> amsgrad = {};
  std::optional<bool> maximize = {};
  std::optional<bool> capturable = {};
  std::optional<std::string> mode = {};
};

class OptimClient : public OptimClientCalls {
 public:
  using OptimClientCalls::OptimClientCalls;
  OptimizerHandle sgd(const SgdOptions& options) const;
  OptimizerHandle adam(const AdamOptions& options) const;
  /// An existing optimizer with that name, such as `$optimizer` inside a callback.
  OptimizerHandle named(std::string name) const { return {session(), std::move(name)}; }
};

}  // namespace assay
