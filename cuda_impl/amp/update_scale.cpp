// The scale update on the CPU and the arguments of the CUDA kernel.
#include "cuda_impl/amp/update_scale.hpp"

#include <cmath>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

ScaleUpdate scale_update(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                         const Contract& contract) {
  return {.state = {tensors.scale.data_as<float>(), tensors.growth_tracker.data_as<std::int32_t>(),
                    tensors.found_inf.data_as<const float>()},
          .factors = {factors.growth, factors.backoff,
                      static_cast<std::int32_t>(factors.interval),  // AMP-111
                      contract.release == Release::k1_13}};
}

void update_scale_on_cuda(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                          const Contract& contract) {
  const DeviceScope scope(tensors.scale.device().index);
  const ScaleUpdate update = scale_update(tensors, factors, contract);
  launch_update_scale(update.state, update.factors);
}

void update_scale_on_cpu(const UpdateScaleTensors& tensors, const UpdateFactors& factors) {
  float& scale = *tensors.scale.data_as<float>();
  auto& tracker = *tensors.growth_tracker.data_as<std::int32_t>();
  const auto scaled_by = [&](double factor) {
    return static_cast<float>(static_cast<double>(scale) * factor);
  };
  if (*tensors.found_inf.data_as<const float>() != 0.0f) {
    scale = scaled_by(factors.backoff);
    tracker = 0;
    return;
  }
  const auto clean = static_cast<std::int32_t>(static_cast<std::uint32_t>(tracker) + 1u);
  if (clean != factors.interval) {  // AMP-111: compares all 64 bits
    tracker = clean;
    return;
  }
  const float grown = scaled_by(factors.growth);
  if (std::isfinite(grown)) scale = grown;  // AMP-106; every release with a CPU kernel does so
  tracker = 0;
}

}  // namespace assay::cuda
