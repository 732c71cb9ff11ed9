// The steps of a loss scale, by the operator that a GradScaler updates its scale with.
#include "cuda_impl/scaler/loss_scale.hpp"

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/scaler/reading.hpp"

namespace assay::cuda {

LossScale::LossScale(Session& session, Device home, const LossScaleSettings& settings)
    : session_(&session),
      settings_(settings),
      scale_(full({}, settings.scale, Dtype::kFloat32, home)),
      tracker_(full({}, 0.0, Dtype::kInt32, home)),
      clean_(full({}, 0.0, Dtype::kFloat32, home)),
      overflow_(full({}, 1.0, Dtype::kFloat32, home)),
      tolerated_(settings.hysteresis - 1) {}

/// The operator backs off at every overflow and knows no bounds: LSC-201 to LSC-204 stand around
/// it.
void LossScale::update(bool overflow) {
  if (overflow && tolerated_ > 0) {
    --tolerated_;
    return set_tracker(0);
  }
  run_operator(overflow ? overflow_ : clean_);
  if (overflow) {
    if (get() < settings_.floor) set_scale(settings_.floor);
  } else if (read_by_scaler(tracker_) == 0) {  // it has grown, or would have: LSC-107
    tolerated_ = settings_.hysteresis - 1;
    if (get() > settings_.ceiling) set_scale(settings_.ceiling);
  }
}

void LossScale::run_operator(const Tensor& found_inf) {
  amp_update_scale_(session_->contract(), {scale_, tracker_, found_inf},
                    {settings_.growth_factor, settings_.backoff_factor, settings_.growth_interval});
}

double LossScale::get() const { return read_by_scaler(scale_); }

SavedLossScale LossScale::save() const {
  return {settings_, get(), static_cast<std::int64_t>(read_by_scaler(tracker_)), tolerated_};
}

void LossScale::load(const SavedLossScale* saved) {
  require(saved != nullptr, [] { return "no loss scale has saved this state"; });  // LSC-305
  settings_ = saved->settings;                                                     // LSC-304
  tolerated_ = saved->tolerated;
  set_scale(saved->scale);
  set_tracker(saved->tracker);
}

void LossScale::set_scale(double value) { fill_(scale_, Scalar(value), session_->contract()); }
void LossScale::set_tracker(std::int64_t value) {
  fill_(tracker_, Scalar(value), session_->contract());
}

}  // namespace assay::cuda
