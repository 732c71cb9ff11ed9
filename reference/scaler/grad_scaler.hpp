// The gradient scaler: scales losses, unscales gradients, skips steps and updates the scale.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"
#include "reference/optim/optimizer.hpp"
#include "reference/scaler/scaler_options.hpp"

namespace assay::reference {

// The argument and result of scale(): nested containers of tensors, and other values.

struct Nested;

/// A sequence that can be iterated once.
class LazySequence {
 public:
  virtual ~LazySequence() = default;
  /// Returns empty at the end, and on all later calls.
  virtual std::optional<Nested> next() = 0;
};

struct NestedList {
  std::vector<Nested> items;
};
struct NestedTuple {
  std::vector<Nested> items;
};
/// A tuple with named fields.
struct NestedNamed {
  std::string type;
  std::vector<std::string> names;
  std::vector<Nested> items;
};
/// A value that is not a tensor, list or tuple. Strings, dicts and lazy sequences are iterable.
struct NestedOther {
  std::any original;
  std::string kind;
  /// Null if the value is not iterable.
  std::function<std::shared_ptr<LazySequence>()> iterate;
};

struct Nested {
  std::variant<Tensor, NestedList, NestedTuple, NestedNamed, std::shared_ptr<LazySequence>,
               NestedOther>
      value;
};

// The scaler.

enum class OptState : std::uint8_t { kReady, kUnscaled, kStepped };

/// A new scale that is neither a number nor a tensor, so `update` rejects it.
struct WrongNewScale {
  std::string kind;
};
using NewScale = std::variant<double, Tensor, WrongNewScale>;

/// Keys and values in the order of `state_dict`.
using ScalerState = std::vector<std::pair<std::string, Scalar>>;

/// Not thread-safe (SCL-902).
class GradScaler final : public PassedScaler, public std::enable_shared_from_this<GradScaler> {
 public:
  /// Does not use a device (SCL-008). Raises `assertion` for invalid factors (SCL-005, SCL-006).
  GradScaler(Runtime& runtime, const ScalerOptions& options);

  Nested scale(const Nested& outputs);
  void unscale_(Optimizer& optimizer);
  /// Returns the result of the optimizer's step; empty (None) if the step was skipped.
  std::any step(Optimizer& optimizer, StepCall call);
  void update(const std::optional<NewScale>& new_scale);

  bool is_enabled() const;
  double get_scale();
  /// Returns an int, unless a fractional one was loaded and the scaler is not initialized yet.
  Scalar get_growth_tracker();
  /// These three raise `attribute` if the value was never set (SCL-502).
  double get_growth_factor() const;
  double get_backoff_factor() const;
  /// Returns an int, unless a fractional one was loaded, which every update rejects (SCL-509).
  Scalar get_growth_interval() const;
  void set_growth_factor(double value);
  void set_backoff_factor(double value) { backoff_factor_ = value; }
  void set_growth_interval(std::int64_t value) { growth_interval_ = value; }

  /// Empty if the scaler is disabled.
  ScalerState state_dict();
  void load_state_dict(const ScalerState& state);
  /// For pickling and deep copies: copies values but no tensors or optimizers (SCL-510, SCL-511).
  /// Raises `assertion` during an iteration.
  std::shared_ptr<GradScaler> copy();
  /// Transfers the whole state and disables this scaler (SCL-904).
  std::shared_ptr<GradScaler> move();

  /// Undefined before the first call of `scale`.
  Tensor scale_tensor() override { return scale_; }
  Tensor tracker_tensor() const { return tracker_; }
  /// Returns the live map; adds an entry for an unknown optimizer (SCL-513).
  FoundInfMap found_inf_per_device(const Optimizer& optimizer);
  FoundInfMap check_inf_per_device(Optimizer& optimizer) override;
  /// Empty if the optimizer has no entry.
  std::optional<OptState> stage_of(const Optimizer& optimizer) const;

 private:
  struct PerOptimizer {
    OptState stage = OptState::kReady;
    FoundInfMap found_inf;
  };
  /// Shared, because an `update` inside a step removes the entry that the step uses (SCL-903).
  using Entry = std::shared_ptr<PerOptimizer>;

  GradScaler(const GradScaler&) = default;
  GradScaler& operator=(const GradScaler&) = delete;

  /// One call of `scale`; makes at most one copy of the scale for each device (SCL-114).
  class ScaleCall;

  void initialise(Device device);
  void check_device(const Tensor& tensor) const;
  static std::uint64_t key_of(const Optimizer& optimizer);
  Entry entry_of(const Optimizer& optimizer);
  void check_initialised(const char* function) const;
  FoundInfMap unscale_grads(const Optimizer& optimizer, const Tensor& inv_scale, bool allow_fp16);
  std::any step_scaling_aware(Optimizer& optimizer, StepCall& call, PerOptimizer& entry);
  void lend_attributes(Optimizer& optimizer, PerOptimizer& entry);
  ScalerAttribute lent_scale(const std::optional<ScalerAttribute>& preset);
  ScalerAttribute lent_found_inf(const PerOptimizer& entry);
  bool found_any_inf(const PerOptimizer& entry);
  /// Accumulates into the first flag (SCL-408).
  Tensor combined_found_inf();
  std::int64_t interval_for_operator() const;
  void move_scale();
  void set_scale(const NewScale& new_scale);
  void check_new_scale(const Tensor& tensor) const;

  /// The value as given by the user, until the tensor exists.
  Scalar present_scale();
  void check_enabled(const char* name) const;
  /// Has the shape of scalars in the release (SCL-108).
  Tensor scalar(const Scalar& value, ScalarType dtype, Device device);

  Runtime& runtime_;
  bool enabled_;
  std::string device_;
  ScalerNumber init_scale_;
  Scalar init_tracker_{std::int64_t{0}};
  // Empty in a disabled scaler unless they were set explicitly (SCL-009, SCL-503).
  std::optional<Scalar> growth_factor_;
  std::optional<Scalar> backoff_factor_;
  std::optional<Scalar> growth_interval_;
  Tensor scale_;
  Tensor tracker_;
  std::vector<std::pair<std::uint64_t, Entry>> entries_;
};

}  // namespace assay::reference
