// Autocast for a client's code: its autograd functions (custom_fwd and custom_bwd, CAST-7xx), and
// cast rules for its own operators (CAST-8xx).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "reference/autocast/state.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/dispatch/dispatcher.hpp"

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

struct CastRule {
  std::string op;
  std::string device;  ///< a device type with autocast; until 2.12 `cpu` or `cuda`
  ScalarType dtype = ScalarType::kFloat;
};

/// Casts the operator's floating inputs to the given dtype, independent of any region, and runs it
/// without autocast, as long as the registration exists (CAST-801, CAST-802). Raises `value` for
/// other device types, and `error` for a text that is none. A later rule for the same device takes
/// its place since 2.13; before, it is an `error` (CAST-804).
Registration register_cast_rule(Dispatcher& dispatcher, CastRule rule);

}  // namespace assay::reference
