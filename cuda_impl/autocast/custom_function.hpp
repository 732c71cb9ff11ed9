// Autocast in a custom function's forward and backward (CAST-701 to CAST-706).
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
  std::optional<Dtype> inputs;  ///< the dtype that forward's inputs are cast to
};

/// The state of forward that backward needs.
struct CustomState {
  Dtype dtype = Dtype::kUndefined;
  bool used_autocast = false;
};

/// Runs `forward` and passes the dtype that it must cast its inputs to, if any.
CustomState custom_forward(const CustomCasts& casts,
                           const std::function<void(std::optional<Dtype> inputs)>& forward);
/// Runs `backward` for a gradient on `device` with the autocast state of forward, whatever the
/// thread's own state is (CAST-705, CAST-706).
void custom_backward(const CustomCasts& casts, const CustomState& state, Device device,
                     const std::function<void()>& backward);
/// CAST-702: casts floating tensors on the device, except float64.
Tensor cast_input(const Tensor& input, const CustomCasts& casts, Dtype to);

}  // namespace assay::cuda::autocast
