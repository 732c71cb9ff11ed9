// unscale_(), and the check without unscaling.
#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
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
    amp_unscale_(session_->contract(), {group.gradients, scalars.flag, scalars.inverse});
  }
}

bool GradScaler::run_by_rows(const Optimizer& optimizer, HalfGradients halves) {
  if (!scale_.device().is_cuda()) return false;
  if (!spares_.rows.collect(optimizer, {halves, release()})) return false;
  for (const DeviceRows& rows : spares_.rows.devices()) {
    const DeviceScope scope(rows.device().index);
    CountedFlag counted = spares_.pool.take(scalar_sizes());
    const float* const scale = halves == HalfGradients::kTaken ? nullptr : scale_for(counted);
    rows.launch({scale, counted.flag.data_as<float>(), counted.ticket.word});
    spares_.flags.push_back({rows.device(), std::move(counted.flag), counted.ticket});
  }
  return true;
}

const float* GradScaler::scale_for(const CountedFlag& counted) const {
  const int home = scale_.device().index;
  const int there = counted.flag.device().index;
  if (there == home) return scale_.data_as<const float>();
  ++counters().copies;
  transfer({counted.ticket.scale, there, scale_.data(), home, sizeof(float)});
  return counted.ticket.scale;
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
  if (!run_by_rows(optimizer, HalfGradients::kRefused)) {
    UnscaleStart start(scale_, scalar_sizes());
    run_unscale(optimizer, HalfGradients::kRefused,
                [&](Device device) { return start.on(device); });
  }
  progress->flags.swap(spares_.flags);
  spares_.flags.clear();
  progress->stage = Stage::kUnscaled;
}

const DeviceFlags& GradScaler::check_inf_per_device(Optimizer& optimizer) {
  need_enabled("_scale");
  need_scalars("_check_inf_per_device");
  spares_.flags.clear();
  if (!run_by_rows(optimizer, HalfGradients::kTaken)) {
    run_unscale(optimizer, HalfGradients::kTaken,
                [&](Device device) { return check_start_.on(device, scalar_sizes()); });
  }
  const auto progress = progress_of(optimizer);
  progress->flags.swap(spares_.flags);
  spares_.flags.clear();
  return progress->flags;
}

const DeviceFlags& GradScaler::found_inf_per_device(const Optimizer& optimizer) {
  need_enabled("_per_optimizer_states");
  return progress_of(optimizer)->flags;
}

}  // namespace assay::cuda
