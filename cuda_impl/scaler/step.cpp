// step(): unscales if that is still to be done, then runs or skips the optimizer.
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"
#include "cuda_impl/scaler/reading.hpp"

namespace assay::cuda {
namespace {

/// SCL-308: reads one flag from each device and sums them up.
double sum_of(const DeviceFlags& flags) {
  double sum = 0;
  for (const DeviceFlag& found : flags) sum += read_by_scaler(found.flag);
  return sum;
}

ScalerAttribute product(const Tensor& scale, const ScalerAttribute& preset) {
  if (const auto* tensor = std::get_if<Tensor>(&preset)) return mul(scale, *tensor);
  if (const auto* real = std::get_if<double>(&preset)) return mul(scale, Scalar(*real));
  if (const auto* integer = std::get_if<std::int64_t>(&preset)) return mul(scale, Scalar(*integer));
  throw Error(ErrorKind::kType, "the scale cannot be multiplied by a grad_scale that is None");
}

void take_back(Optimizer& optimizer) {
  optimizer.grad_scale.reset();
  optimizer.found_inf.reset();
}

}  // namespace

std::any GradScaler::step(Optimizer& optimizer, const StepCall& call) {
  if (!enabled_) return optimizer.step(call);
  require(!call.has_keyword("closure"),
          [] { return "closure use is not supported by a GradScaler that is enabled"; });
  need_scalars("step");
  const auto progress = progress_of(optimizer);
  require(progress->stage != Stage::kStepped,
          [] { return "step() has already been called since the last update()"; });
  if (optimizer.supports_amp_scaling()) {
    const bool passes_itself = release() == Release::k1_13 || optimizer.takes_grad_scaler();
    return passes_itself ? step_with_scaler(optimizer, call, *progress)
                         : step_with_attributes(optimizer, call, *progress);
  }

  if (progress->stage == Stage::kReady) unscale_(optimizer);
  require(!progress->flags.empty(), ErrorKind::kAssertion,
          [] { return "No inf checks were recorded for this optimizer."; });
  std::any returned;
  if (sum_of(progress->flags) == 0) returned = optimizer.step(call);
  progress->stage = Stage::kStepped;
  return returned;
}

std::any GradScaler::step_with_scaler(Optimizer& optimizer, const StepCall& call,
                                      Progress& progress) {
  if (release() != Release::k1_13) {
    warn("FutureWarning",
         "GradScaler will no longer pass itself to a step by the keyword grad_scaler: the "
         "attributes grad_scale and found_inf of the optimizer take its place");
  }
  StepCall with_scaler = call;
  with_scaler.grad_scaler = shared_from_this();
  std::any returned = optimizer.step(with_scaler);
  progress.stage = Stage::kStepped;
  return returned;
}

std::any GradScaler::step_with_attributes(Optimizer& optimizer, const StepCall& call,
                                          Progress& progress) {
  if (progress.stage == Stage::kReady) check_inf_per_device(optimizer);
  // A closure is client code, which may look at the lent tensors.
  const bool lends_its_own = optimizer.only_reads_lent() && !call.closure;
  const std::optional<ScalerAttribute> preset = optimizer.grad_scale;
  lend(optimizer, preset, progress, lends_its_own);

  std::any returned;
  try {
    returned = optimizer.step(call);
  } catch (...) {
    // SCL-605
    if (session_->contract().is_strict) {
      take_back(optimizer);
    } else if (lends_its_own) {
      lend(optimizer, preset, progress, false);
    }
    throw;
  }
  progress.stage = Stage::kStepped;
  take_back(optimizer);
  return returned;
}

void GradScaler::lend(Optimizer& optimizer, const std::optional<ScalerAttribute>& preset,
                      const Progress& progress, bool lends_its_own) const {
  ScalerAttribute flag = lent_flag(progress.flags, lends_its_own);
  optimizer.grad_scale = lent_scale(preset, progress.stage, lends_its_own);
  optimizer.found_inf = std::move(flag);
}

/// SCL-602 to SCL-604.
ScalerAttribute GradScaler::lent_scale(const std::optional<ScalerAttribute>& preset, Stage stage,
                                       bool lends_its_own) const {
  const bool keeps_preset = release() >= Release::k2_11;
  if (stage == Stage::kUnscaled)
    return keeps_preset ? preset.value_or(ScalerAttribute()) : ScalerAttribute();
  if (!keeps_preset || (lends_its_own && !preset)) return scale_;
  return product(scale_, preset.value_or(ScalerAttribute(std::int64_t{1})));
}

/// Placed on the scale's device; the integer 0 if there was no gradient (SCL-606).
ScalerAttribute GradScaler::lent_flag(const DeviceFlags& flags, bool lends_its_own) const {
  if (flags.empty()) return std::int64_t{0};
  const Tensor first = moved_to(flags.front().flag, scale_.device());
  if (lends_its_own && flags.size() == 1) return first;
  const Tensor sum = add(first, Scalar(0));
  for (std::size_t i = 1; i < flags.size(); ++i)
    add_(sum, moved_to(flags[i].flag, scale_.device()));
  return sum;
}

}  // namespace assay::cuda
