// The kernels of `_amp_update_scale_`: check, read, compute, write.
#include "reference/amp/update_scale.hpp"

#include <array>

#include "reference/amp/argument_checks.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"

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
