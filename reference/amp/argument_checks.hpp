// What the amp kernels check about their one-element arguments, in one order for both.
#pragma once

#include <span>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// An argument that must be one element of a type; messages call it `name`.
struct ScalarArgument {
  const char* name;
  const Tensor& tensor;
  ScalarType dtype;
};

/// `CUDA` or `CPU`, as messages spell it.
const char* kernel_name_of(DeviceType kernel);

/// First every device type, then every number of elements, then every dtype, each in the order of
/// `arguments` (AMP-115, AMP-116, AMP-401). Any shape will do (AMP-118, AMP-402).
void check_scalar_arguments(std::span<const ScalarArgument> arguments, DeviceType kernel);

}  // namespace assay::reference
