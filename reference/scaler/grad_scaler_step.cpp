// The gradient scaler: step, for optimizers that know of scaling and for those that do not.
#include <algorithm>
#include <utility>

#include "reference/core/copy.hpp"
#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/scaler/multiply.hpp"

namespace assay::reference {

/// The flags are read one by one and added on the host; NaN skips as well (SCL-308).
bool GradScaler::found_any_inf(const PerOptimizer& entry) {
  double sum = 0;
  for (const auto& [device, flag] : entry.found_inf) {
    const double value = read_back(runtime_, flag);
    if (fault("step_combines_flags_by_max")) {
      sum = std::max(sum, value);
    } else {
      sum += value;
    }
    if (fault("step_reads_only_first_flag")) break;
  }
  if (fault("step_skips_only_above_zero")) return sum > 0;
  if (fault("step_skips_only_at_one")) return sum == 1;
  return !(sum == 0) && !fault("step_never_skips");
}

namespace {

bool has_bad_gradient(const Optimizer& optimizer) {
  for (const Tensor& param : optimizer.params()) {
    const Tensor& grad = param.grad();
    for (std::int64_t i = 0; grad.defined() && !grad.is_sparse() && i < grad.numel(); ++i) {
      if (!std::isfinite(real_at(grad, i))) return true;
    }
  }
  return false;
}

}  // namespace

/// In the order of SCL-301.
std::any GradScaler::step(Optimizer& optimizer, StepCall call) {
  if (!enabled_)
    return fault("step_when_disabled_does_nothing") ? std::any{} : optimizer.step(call);
  if (fault("step_checks_the_scale_first")) check_initialised("step");
  const bool has_closure = call.keyword("closure") != nullptr ||
                           (fault("step_refuses_positional_closures") && !call.positional.empty());
  check(!has_closure || fault("step_takes_closures"),
        [] { return "a closure by keyword is not supported by the step of an enabled scaler"; });
  check_initialised("step");
  const Entry entry = entry_of(optimizer);
  check(entry->stage != OptState::kStepped || fault("step_twice_is_allowed"),
        [] { return "step was already done for this optimizer, and no update has come since"; });
  if (optimizer.supports_amp_scaling() && !fault("step_ignores_amp_support")) {
    return step_scaling_aware(optimizer, call, *entry);
  }
  if (entry->stage == OptState::kReady || fault("step_always_unscales")) {
    if (fault("step_always_unscales")) entry->stage = OptState::kReady;
    unscale_(optimizer);
  }
  check(!entry->found_inf.empty() || fault("step_needs_no_inf_checks"), ErrorKind::kAssertion,
        [] { return "No inf checks stand recorded for this optimizer: it had no gradients"; });
  if (fault("step_marks_the_stage_first")) entry->stage = OptState::kStepped;
  std::any returned;
  bool is_skipped = found_any_inf(*entry);
  // The flags decide; nobody looks at the gradients again (SCL-311).
  if (fault("step_examines_the_gradients_again")) is_skipped |= has_bad_gradient(optimizer);
  if (!is_skipped) returned = optimizer.step(call);
  if (fault("step_drops_the_return_value")) returned = {};
  if (!fault("step_skipped_stays_unscaled") || !is_skipped) entry->stage = OptState::kStepped;
  if (fault("step_marks_a_new_entry")) entry_of(optimizer)->stage = OptState::kStepped;
  if (fault("step_updates_the_scale")) update(std::nullopt);
  return returned;
}

/// SCL-602 to SCL-604: the scale, times what was preset, or the preset value alone after an
/// explicit unscale_.
void GradScaler::lend_attributes(Optimizer& optimizer, PerOptimizer& entry) {
  if (entry.stage == OptState::kReady) check_inf_per_device(optimizer);
  std::optional<LentAttribute> preset = optimizer.grad_scale;
  // SCL-604
  const bool overwrites = runtime_.contract().before(Release::k2_11);
  if (overwrites || fault("lend_ignores_the_preset")) preset.reset();
  LentAttribute scale = std::monostate{};
  const bool is_unscaled = entry.stage == OptState::kUnscaled && !fault("lend_scale_after_unscale");
  if (is_unscaled) {
    scale = preset.value_or(std::monostate{});
  } else {
    scale = lent_scale(preset);
  }
  optimizer.found_inf = lent_found_inf(entry);
  optimizer.grad_scale = scale;
}

LentAttribute GradScaler::lent_scale(const std::optional<LentAttribute>& preset) {
  if (fault("lend_the_scale_itself") && !preset) return scale_;
  double factor = 1;
  if (preset) {
    if (const auto* tensor = std::get_if<Tensor>(&*preset)) {
      return multiply(runtime_, scale_, to(runtime_, *tensor, {.device = scale_.device()}));
    }
    const auto* integer = std::get_if<std::int64_t>(&*preset);
    const auto* real = std::get_if<double>(&*preset);
    check(integer != nullptr || real != nullptr, ErrorKind::kType,
          [] { return "unsupported operand types for *: Tensor and None"; });
    factor = real != nullptr ? *real : static_cast<double>(*integer);
  }
  Tensor made = empty(runtime_, scale_.sizes(), ScalarType::kFloat, scale_.device());
  launch(runtime_, made.device(), "mul", [to = borrowed(made), from = borrowed(scale_), factor] {
    const auto product = static_cast<float>(real_at(from, 0)) * static_cast<float>(factor);
    set_real_at(to, 0, static_cast<double>(product));
  });
  count_launch(runtime_, made);
  return made;
}

/// The flags' sum where the scale lives; the int 0 when there are none (SCL-606).
LentAttribute GradScaler::lent_found_inf(const PerOptimizer& entry) {
  if (entry.found_inf.empty() && !fault("lend_flag_is_always_a_tensor")) return std::int64_t{0};
  std::vector<Tensor> flags;
  for (const auto& [device, flag] : entry.found_inf) {
    flags.push_back(to(runtime_, flag, {.device = scale_.device(), .non_blocking = true}));
    count_launch(runtime_, flags.back());
    if (fault("lend_only_first_flag")) break;
  }
  if (fault("lend_reads_flags_on_the_host")) ++runtime_.counters().host_reads;
  Tensor made = empty(runtime_, scale_.sizes(), ScalarType::kFloat, scale_.device());
  launch(runtime_, made.device(), "sum", [to = borrowed(made), from = borrowed(flags)] {
    double sum = 0;
    for (const Tensor& flag : from) sum += real_at(flag, 0);
    if (fault("lend_flag_is_at_most_one") && sum > 1) sum = 1;
    set_real_at(to, 0, sum);
  });
  return made;
}

/// SCL-601, SCL-608: the optimizer decides itself; its step is always called.
std::any GradScaler::step_scaling_aware(Optimizer& optimizer, StepCall& call, PerOptimizer& entry) {
  const Release release = runtime_.contract().release;
  const bool passes_itself = optimizer.takes_grad_scaler() || release == Release::k1_13;
  if (!passes_itself) {
    lend_attributes(optimizer, entry);
  } else {
    if (release != Release::k1_13 && !fault("passing_the_scaler_does_not_warn")) {
      runtime_.warn("FutureWarning",
                    "GradScaler is going to stop passing itself as a keyword argument to the "
                    "optimizer: `grad_scaler`");
    }
    call.grad_scaler = shared_from_this();
    if (fault("passing_the_scaler_lends_attributes")) lend_attributes(optimizer, entry);
  }
  const auto take_back = [&] {
    if (passes_itself || fault("lent_attributes_stay")) return;
    optimizer.grad_scale.reset();
    optimizer.found_inf.reset();
  };
  std::any returned;
  try {
    returned = optimizer.step(call);
  } catch (...) {
    // SCL-605: PyTorch leaves them, so that the next call multiplies again.
    const bool stays =
        !runtime_.contract().strict() != fault("lent_attributes_after_error_swapped");
    if (!stays) take_back();
    throw;
  }
  entry.stage = OptState::kStepped;
  take_back();
  return returned;
}

}  // namespace assay::reference
