// custom_fwd and custom_bwd: autocast around a client's own operator (CAST-7xx).
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

/// What forward writes down for backward.
struct CustomCastState {
  ScalarType dtype = ScalarType::kUndefined;
  bool used_autocast = false;
};

/// Calls `forward`, with autocast switched off where inputs are cast. `forward` is told the dtype
/// that it has to cast its inputs to, if any (CAST-701 to CAST-703).
CustomCastState custom_forward(
    Runtime& runtime, const CustomCasts& casts,
    const std::function<void(std::optional<ScalarType> cast_inputs)>& forward);

/// Calls `backward` of a gradient on that device in a region like forward's (CAST-705, CAST-706).
void custom_backward(Runtime& runtime, const CustomCasts& casts, const CustomCastState& state,
                     Device device, const std::function<void()>& backward);

/// One input: cast if it is floating, not float64, and of that device (CAST-702).
Tensor cast_input(Runtime& runtime, const Tensor& input, const std::string& device, ScalarType to);

}  // namespace assay::reference
