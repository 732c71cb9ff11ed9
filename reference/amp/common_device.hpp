// The check that all tensors of a CUDA call are on one device.
#pragma once

#include <span>
#include <string>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// A tensor argument and what the schema calls it; an element of a list goes by the list's name.
struct CheckedArgument {
  const char* name;
  Tensor tensor;
};

/// No tensor is exempt, whatever its shape. Raises `error` naming both devices, the argument and
/// the operator (AMP-005).
void expect_common_device(const std::string& op, std::span<const CheckedArgument> arguments);

}  // namespace assay::reference
