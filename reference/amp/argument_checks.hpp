// The checks of one-element arguments that both amp kernels share.
#pragma once

#include <span>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// An argument that must have one element of a given dtype; `name` appears in messages.
struct ScalarArgument {
  const char* name;
  const Tensor& tensor;
  ScalarType dtype;
};

/// Returns `CUDA` or `CPU`, the spelling in messages.
const char* kernel_name_of(DeviceType kernel);

/// Checks all device types, then all element counts, then all dtypes, each in the order of
/// `arguments` (AMP-115, AMP-116, AMP-401). Accepts any shape (AMP-118, AMP-402).
void check_scalar_arguments(std::span<const ScalarArgument> arguments, DeviceType kernel);

}  // namespace assay::reference
