// unscale_(), and the check without unscaling.
#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {

template <typename ScalarsOn>
void GradScaler::run_unscale(const Optimizer& optimizer, HalfGradients halves,
                             const ScalarsOn& scalars_on) {
  InverseAndFlag scalars;
  for (const GradientGroup& group : gradients_of(optimizer, halves)) {
    if (spares_.flags.empty() || spares_.flags.back().device != group.device) {
      scalars = scalars_on(group.device);
      spares_.flags.push_back({group.device, scalars.flag});
    }
    amp_unscale_({group.gradients, scalars.flag, scalars.inverse}, session_->contract());
  }
}

bool GradScaler::run_by_rows(const Optimizer& optimizer, HalfGradients halves, const float* scale) {
  const Device home = scale_.device();
  // 1.13 loses launches in a way of its own (AMP-303).
  if (!home.is_cuda() || release() == Release::k1_13) return false;
  const DeviceScope scope(home.index);
  if (!spares_.rows.collect(optimizer, home, halves)) return false;
  CountedFlag counted = spares_.pool.take();
  spares_.rows.launch({scale, counted.flag.data_as<float>(), counted.ticket.word});
  spares_.flags.push_back({home, std::move(counted.flag), counted.ticket});
  return true;
}

void GradScaler::unscale_(Optimizer& optimizer) {
  if (!enabled_) return;
  need_scalars("unscale_");
  const auto progress = progress_of(optimizer);
  require(progress->stage != Stage::kUnscaled,
          [] { return "unscale_() has already been called since the last update()"; });
  require(progress->stage != Stage::kStepped,
          [] { return "unscale_() is being called after step()"; });
  spares_.flags.clear();
  if (!run_by_rows(optimizer, HalfGradients::kRefused, scale_.data_as<const float>())) {
    UnscaleStart start(scale_, scalar_sizes());
    run_unscale(optimizer, HalfGradients::kRefused,
                [&](Device device) { return start.on(device); });
  }
  progress->flags.swap(spares_.flags);
  spares_.flags.clear();
  progress->stage = Stage::kUnscaled;
}

const DeviceFlags& GradScaler::check_inf(Optimizer& optimizer) {
  need_enabled("_scale");
  need_scalars("_check_inf_per_device");
  spares_.flags.clear();
  if (!run_by_rows(optimizer, HalfGradients::kTaken, nullptr)) {
    run_unscale(optimizer, HalfGradients::kTaken,
                [&](Device device) { return check_start_.on(device, scalar_sizes()); });
  }
  const auto progress = progress_of(optimizer);
  progress->flags.swap(spares_.flags);
  spares_.flags.clear();
  return progress->flags;
}

const DeviceFlags& GradScaler::found_inf(const Optimizer& optimizer) {
  need_enabled("_per_optimizer_states");
  return progress_of(optimizer)->flags;
}

}  // namespace assay::cuda
