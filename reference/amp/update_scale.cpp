// Backs off, counts or grows; and the kernels that check, read, compute and write.
#include "reference/amp/update_scale.hpp"

#include <array>
#include <cmath>

#include "reference/amp/arguments.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

/// Computed in double and rounded once (AMP-103, AMP-105).
float scaled_by(float scale, double factor) {
  return static_cast<float>(static_cast<double>(scale) * factor);
}

/// Every value but zero is an overflow, including NaN and negative values (AMP-102).
bool is_overflow(float found_inf) { return found_inf != 0.0F; }

/// Wraps around at the end of int32 (AMP-110).
std::int32_t count_one_more(std::int32_t tracker) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(tracker) + 1U);
}

/// Tests equality, not "at least" (AMP-108); the interval's width depends on the device (AMP-111).
bool reaches(std::int32_t count, std::int64_t interval, const UpdateRules& rules) {
  const std::int64_t wanted =
      rules.interval_is_int32 ? static_cast<std::int32_t>(interval) : interval;
  return count == wanted;
}

ScaleState backed_off(ScaleState now, const ScaleFactors& factors) {
  return {scaled_by(now.scale, factors.backoff), 0};
}

/// Resets the tracker even if the growth is refused (AMP-107).
ScaleState grown(ScaleState now, const ScaleFactors& factors, const UpdateRules& rules) {
  const float candidate = scaled_by(now.scale, factors.growth);
  const bool is_finite = std::isfinite(candidate);
  if (!rules.growth_is_guarded || is_finite) return {candidate, 0};
  return {now.scale, 0};
}

}  // namespace

ScaleState next_scale_state(ScaleState now, float found_inf, const ScaleFactors& factors,
                            const UpdateRules& rules) {
  if (is_overflow(found_inf)) return backed_off(now, factors);
  const std::int32_t count = count_one_more(now.tracker);
  if (reaches(count, factors.interval, rules)) return grown(now, factors, rules);
  return {now.scale, count};
}

namespace {

void check_arguments(const UpdateScaleTensors& tensors, DeviceType kernel) {
  const std::array<ScalarArgument, 3> arguments = {{
      {"growth_tracker", tensors.growth_tracker, ScalarType::kInt},
      {"current_scale", tensors.scale, ScalarType::kFloat},
      {"found_inf", tensors.found_inf, ScalarType::kFloat},
  }};
  check_scalar_arguments(arguments, kernel);  // AMP-115, AMP-116
}

UpdateRules rules_of(const Runtime& runtime, DeviceType kernel) {
  return {.interval_is_int32 = kernel == DeviceType::kCuda,                    // AMP-111
          .growth_is_guarded = runtime.contract().release != Release::k1_13};  // AMP-106
}

/// One launch, no allocation and no host read (AMP-120).
void count_work(Runtime& runtime, DeviceType kernel) {
  if (kernel == DeviceType::kCuda) ++runtime.counters().launches;
}

/// The tensors and factors of one launch.
struct UpdateKernel {
  Tensor scale;
  Tensor tracker;
  Tensor found_inf;
  ScaleFactors factors;
  UpdateRules rules;

  ScaleState present() const {
    return {static_cast<float>(real_at(scale, 0)),
            static_cast<std::int32_t>(integer_at(tracker, 0))};
  }

  void operator()() const {
    const ScaleState before = present();
    const auto flag =
        static_cast<float>(real_at(found_inf, 0));  // before the scale is written: AMP-119
    const ScaleState after = next_scale_state(before, flag, factors, rules);
    set_real_at(scale, 0, static_cast<double>(after.scale));
    set_integer_at(tracker, 0, after.tracker);
  }
};

}  // namespace

Tensor update_scale_kernel(Runtime& runtime, DeviceType kernel, const UpdateScaleTensors& tensors,
                           const ScaleFactors& factors) {
  const auto& [scale, tracker, found_inf] = tensors;
  check_arguments(tensors, kernel);
  count_work(runtime, kernel);

  UpdateKernel update{borrowed(scale), borrowed(tracker), borrowed(found_inf), factors,
                      rules_of(runtime, kernel)};
  launch(runtime, scale.device(), "update_scale", update);
  note_write(runtime, scale);  // only of the scale: PyTorch bumps what an operator returns
  return scale;
}

}  // namespace assay::reference
