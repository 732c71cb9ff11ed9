// Autocast around a custom function's forward and backward (CAST-701 to CAST-706).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cuda_impl/autocast/region.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autocast {

struct CustomCasts {
  std::string device;  ///< `cuda`
  DeviceKind kind = DeviceKind::kCuda;
  std::optional<Dtype> inputs;  ///< what the inputs of forward are cast to
};

/// What backward must know of forward.
struct CustomState {
  Dtype dtype = Dtype::kUndefined;
  bool used_autocast = false;
};

/// Runs `forward`, which is told what to cast its inputs to, if anything.
CustomState custom_forward(const CustomCasts& casts,
                           const std::function<void(std::optional<Dtype> inputs)>& forward);
/// Runs `backward` of a gradient on that device in the region that forward was in, whatever the
/// thread is in (CAST-705, CAST-706).
void custom_backward(const CustomCasts& casts, const CustomState& state, Device device,
                     const std::function<void()>& backward);
/// CAST-702: only what floats, but float64, and lies on the device.
Tensor cast_input(const Tensor& input, const CustomCasts& casts, Dtype to);

}  // namespace assay::cuda::autocast
