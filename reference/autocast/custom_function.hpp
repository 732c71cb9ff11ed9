// custom_fwd and custom_bwd: autocast for a client's autograd function (CAST-7xx).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "reference/autocast/state.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct CustomCasts {
  std::string device;
  std::optional<ScalarType> inputs = {};  ///< `cast_inputs`
};

/// The state that forward saves for backward.
struct CustomCastState {
  ScalarType dtype = ScalarType::kUndefined;
  bool used_autocast = false;
};

/// Calls `forward`, with autocast disabled if inputs are cast, and passes it the dtype to which it
/// must cast its inputs, if any (CAST-701 to CAST-703).
CustomCastState custom_forward(
    Runtime& runtime, const CustomCasts& casts,
    const std::function<void(std::optional<ScalarType> cast_inputs)>& forward);

/// Calls `backward`, for a gradient on `device`, in a region like forward's (CAST-705, CAST-706).
void custom_backward(Runtime& runtime, const CustomCasts& casts, const CustomCastState& state,
                     Device device, const std::function<void()>& backward);

/// Casts an input that is floating, not float64, and on the device (CAST-702).
Tensor cast_input(Runtime& runtime, const Tensor& input, const std::string& device, ScalarType to);

}  // namespace assay::reference
