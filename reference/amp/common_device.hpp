// Checks that all tensors of a CUDA call are on one device.
#pragma once

#include <span>
#include <string>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// A tensor argument with its schema name; elements of a list carry the name of the list.
struct CheckedArgument {
  const char* name;
  Tensor tensor;
};

/// Checks all tensors, whatever their shape. Raises `error` naming both devices, the argument and
/// the operator (AMP-005).
void expect_common_device(const std::string& op, std::span<const CheckedArgument> arguments);

}  // namespace assay::reference
