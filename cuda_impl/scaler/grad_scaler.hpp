// The gradient scaler: a scale and a growth tracker on the device, and the progress of each
// optimizer in the current iteration. A call waits for a device only if its comment says so.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/scaler/flag_pool.hpp"
#include "cuda_impl/scaler/gradient_rows.hpp"
#include "cuda_impl/scaler/options.hpp"
#include "cuda_impl/scaler/outputs.hpp"
#include "cuda_impl/scaler/replicas.hpp"
#include "cuda_impl/scaler/unscaling.hpp"

namespace assay::cuda {

/// The progress of an optimizer since the last update().
enum class Stage : std::uint8_t { kReady, kUnscaled, kStepped };

struct DeviceFlag {
  Device device;
  Tensor flag;  ///< found_inf: not 0 if a gradient on the device was not finite
  FlagTicket ticket = {};
};
/// One flag for each device, in the order of first use.
using DeviceFlags = std::vector<DeviceFlag>;

/// A new scale of an invalid type; `kind` is the name of the type.
struct WrongScale {
  std::string kind;
};
using NewScale = std::variant<double, Tensor, WrongScale>;

/// Entries by name, in the order of SCL-506.
using ScalerState = std::vector<std::pair<std::string, Scalar>>;

/// Not thread-safe (SCL-902). Must be owned by a shared pointer.
class GradScaler final : public ScalerInStep, public std::enable_shared_from_this<GradScaler> {
 public:
  GradScaler(Session& session, const ScalerOptions& options);

  Tensor scale(const Tensor& output);
  /// Keeps the container types; other iterables become one-pass sequences, whose items are scaled
  /// when they are requested (SCL-110).
  Outputs scale(const Outputs& outputs);

  void unscale_(Optimizer& optimizer);
  /// Returns the optimizer's result, or an empty value if the step was skipped. Waits for the flag
  /// of each device, unless the optimizer handles the flag itself (SCL-312, SCL-609).
  std::any step(Optimizer& optimizer, const StepCall& call = {});
  void update(const std::optional<NewScale>& new_scale = std::nullopt);

  /// Waits for the device if the scale tensor exists.
  double get_scale() const;
  double get_growth_factor() const { return stored(growth_factor_, "growth_factor").real(); }
  double get_backoff_factor() const { return stored(backoff_factor_, "backoff_factor").real(); }
  std::int64_t get_growth_interval() const;
  /// The tracker as in the state: a loaded one may be fractional until it is on a device (SCL-509).
  Scalar get_growth_tracker() const;
  bool is_enabled() const { return enabled_; }
  void set_growth_factor(double factor) { growth_factor_ = Scalar(factor); }
  void set_backoff_factor(double factor) { backoff_factor_ = Scalar(factor); }
  void set_growth_interval(std::int64_t interval) { growth_interval_ = Scalar(interval); }

  ScalerState state_dict() const;
  void load_state_dict(const ScalerState& state);
  /// For pickling and deep copies: copies the values, not the tensors (SCL-510, SCL-511).
  std::shared_ptr<GradScaler> copy() const;
  /// Moves the state to a new scaler and disables this one (SCL-904).
  std::shared_ptr<GradScaler> move();

  /// Both are undefined before the first scale().
  const Tensor& scale_tensor() const { return scale_; }
  const Tensor& tracker_tensor() const { return tracker_; }
  /// Checks the gradients without unscaling them; stores the flags, keeps the stage (SCL-513).
  const DeviceFlags& check_inf_per_device(Optimizer& optimizer);
  /// Returns the flags found so far. Creates an entry for an unknown optimizer.
  const DeviceFlags& found_inf_per_device(const Optimizer& optimizer);
  /// Empty if the optimizer has no entry.
  std::optional<Stage> stage_of(const Optimizer& optimizer) const;

  Tensor scale_in_step() override;
  std::vector<Tensor> check_inf_in_step(Optimizer& optimizer) override;

 private:
  /// Shared with calls in progress, because an update() inside a step drops the entry (SCL-903).
  struct Progress {
    Stage stage = Stage::kReady;
    DeviceFlags flags;
  };
  using Entry = std::pair<std::uint64_t, std::shared_ptr<Progress>>;
  /// What iterations leave for the next one, so that it need not allocate. A copied scaler begins
  /// without, since two scalers must not share a flag.
  struct Spares {
    DeviceFlags flags;
    GradientRows rows;
    FlagPool pool;
    std::vector<std::shared_ptr<Progress>> progress;

    Spares() = default;
    Spares(const Spares&) {}
    Spares& operator=(const Spares&) { return *this; }
  };
  /// The state of one scale() call on a container: the scale is copied at the first tensor.
  struct Pass {
    std::optional<Replicas> scales;
  };

  Release release() const { return session_->release(); }
  /// SCL-108: the scalars were 1-dim in 1.13.
  Shape scalar_sizes() const { return release() == Release::k1_13 ? Shape{1} : Shape{}; }
  const Scalar& stored(const std::optional<Scalar>& value, std::string_view name) const;
  void need_enabled(std::string_view attribute) const;
  void need_scalars(std::string_view method) const;
  std::shared_ptr<Progress> progress_of(const Optimizer& optimizer);

  void make_scalars(Device home);
  void need_scalable(const Tensor& output) const;
  Tensor scaled_tensor(const Tensor& output, Pass& pass);
  Outputs scaled(const Outputs& outputs, const std::shared_ptr<Pass>& pass);
  Outputs scaled_lazily(const Outputs& outputs, const std::shared_ptr<Pass>& pass);
  std::vector<Outputs> all_scaled(const Outputs& outputs, const std::shared_ptr<Pass>& pass);

  /// Calls `scalars_on(device)` once for each device.
  /// Writes to the spare flags.
  template <typename ScalarsOn>
  void run_unscale(const Optimizer& optimizer, HalfGradients halves, const ScalarsOn& scalars_on);
  /// Like `run_unscale`, in the launches of `GradientRows`; unscales nothing if float16 is taken.
  /// Returns false, having launched nothing, if the gradients need more than those.
  bool run_by_rows(const Optimizer& optimizer, HalfGradients halves);
  /// Returns the scale on the device of a flag; on another device than the scale's, copies it
  /// there.
  const float* scale_for(const CountedFlag& counted) const;
  /// Forgets the optimizers. Their flags are kept for reuse if `have_been_used` on this stream.
  void end_iteration(bool have_been_used);
  std::any step_with_scaler(Optimizer& optimizer, const StepCall& call, Progress& progress);
  std::any step_with_attributes(Optimizer& optimizer, const StepCall& call, Progress& progress);
  /// `lends_its_own`: passes the scaler's own tensors if no computation is needed.
  void lend(Optimizer& optimizer, const std::optional<ScalerAttribute>& preset,
            const Progress& progress, bool lends_its_own) const;
  ScalerAttribute lent_scale(const std::optional<ScalerAttribute>& preset, Stage stage,
                             bool lends_its_own) const;
  ScalerAttribute lent_flag(const DeviceFlags& flags, bool lends_its_own) const;
  std::int64_t interval_for_update() const;
  Tensor combined_flags() const;
  void set_scale(const NewScale& new_scale);
  void set_scale(const Tensor& new_scale);

  Session* session_;
  std::optional<std::string> device_;
  bool enabled_;
  std::optional<Scalar> growth_factor_;
  std::optional<Scalar> backoff_factor_;
  std::optional<Scalar> growth_interval_;
  Scalar init_scale_;
  Scalar init_tracker_ = 0;
  Tensor scale_;
  Tensor tracker_;
  std::vector<Entry> entries_;
  CheckStart check_start_;
  Spares spares_;
};

}  // namespace assay::cuda
