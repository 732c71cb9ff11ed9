// unscale_(), and the check without unscaling.
#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {

template <typename ScalarsOn>
DeviceFlags GradScaler::run_unscale(const Optimizer& optimizer, HalfGradients halves,
                                    const ScalarsOn& scalars_on) {
  DeviceFlags flags;
  InverseAndFlag scalars;
  for (const GradientGroup& group : gradients_of(optimizer, halves)) {
    if (flags.empty() || flags.back().device != group.device) {
      scalars = scalars_on(group.device);
      flags.push_back({group.device, scalars.flag});
    }
    amp_unscale_({group.gradients, scalars.flag, scalars.inverse}, session_->contract());
  }
  return flags;
}

void GradScaler::unscale_(Optimizer& optimizer) {
  if (!enabled_) return;
  need_scalars("unscale_");
  const auto progress = progress_of(optimizer);
  require(progress->stage != Stage::kUnscaled,
          [] { return "unscale_() has already been called since the last update()"; });
  require(progress->stage != Stage::kStepped,
          [] { return "unscale_() is being called after step()"; });
  UnscaleStart start(scale_, scalar_sizes());
  progress->flags = run_unscale(optimizer, HalfGradients::kRefused,
                                [&](Device device) { return start.on(device); });
  progress->stage = Stage::kUnscaled;
}

const DeviceFlags& GradScaler::check_inf(Optimizer& optimizer) {
  need_enabled("_scale");
  need_scalars("_check_inf_per_device");
  DeviceFlags flags = run_unscale(optimizer, HalfGradients::kTaken, [&](Device device) {
    return check_start_.on(device, scalar_sizes());
  });
  const auto progress = progress_of(optimizer);
  progress->flags = std::move(flags);
  return progress->flags;
}

const DeviceFlags& GradScaler::found_inf(const Optimizer& optimizer) {
  need_enabled("_per_optimizer_states");
  return progress_of(optimizer)->flags;
}

}  // namespace assay::cuda
