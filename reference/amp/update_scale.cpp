// The kernels of `_amp_update_scale_`: check, read, decide, write.
#include "reference/amp/update_scale.hpp"

#include <array>
#include <optional>

#include "reference/amp/argument_checks.hpp"
#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"

namespace assay::reference {

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

/// One launch, no allocation, nothing read by the host (AMP-120).
void count_work(Runtime& runtime, DeviceType kernel) {
  if (kernel == DeviceType::kCuda) ++runtime.counters().launches;
  if (fault("update_scale_launches_twice")) ++runtime.counters().launches;
  if (fault("update_scale_reads_on_the_host")) ++runtime.counters().host_reads;
  if (fault("update_scale_allocates")) ++runtime.counters().allocations;
}

/// What the kernel touches; `flag_is_scale`: the flag and the scale are one tensor.
struct UpdateKernel {
  Tensor scale;
  Tensor tracker;
  Tensor found_inf;
  ScaleFactors factors;
  UpdateRules rules;
  bool flag_is_scale;
  std::optional<ScaleState> early = {};  ///< of a wrong model: what was there when it was called

  ScaleState present() const {
    return {static_cast<float>(real_at(scale, 0)),
            static_cast<std::int32_t>(integer_at(tracker, 0))};
  }

  void operator()() const {
    const ScaleState before = early.value_or(present());
    auto flag = static_cast<float>(real_at(found_inf, 0));  // before the scale is written: AMP-119
    if (fault("update_scale_aliased_flag_is_clean") && flag_is_scale) flag = 0;
    const ScaleState after = next_scale_state(before, flag, factors, rules);
    set_real_at(scale, 0, static_cast<double>(after.scale));
    set_integer_at(tracker, 0, after.tracker);
    if (fault("update_scale_clears_the_flag") && !flag_is_scale) set_real_at(found_inf, 0, 0);
  }
};

}  // namespace

Tensor update_scale_kernel(Runtime& runtime, DeviceType kernel, const UpdateScaleTensors& tensors,
                           const ScaleFactors& factors) {
  const auto& [scale, tracker, found_inf] = tensors;
  if (fault("update_scale_zeroes_tracker_before_checks") && tracker.numel() > 0) {
    set_integer_at(tracker, 0, 0);
  }
  check_arguments(tensors, kernel);
  count_work(runtime, kernel);

  UpdateKernel update{borrowed(scale), borrowed(tracker),         borrowed(found_inf),
                      factors,         rules_of(runtime, kernel), found_inf.is_alias_of(scale)};
  if (fault("update_scale_reads_when_called")) update.early = update.present();
  launch(runtime, scale.device(), "update_scale", update);
  scale.bump_version();  // and no other: PyTorch counts what an operator returns
  if (fault("update_scale_returns_a_new_tensor")) {
    return scalar_tensor(runtime, real_at(scale, 0), ScalarType::kFloat, scale.device());
  }
  return scale;
}

}  // namespace assay::reference
