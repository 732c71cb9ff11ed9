// How a call of an amp operator finds its kernel: by the backends of its tensors.
#pragma once

#include <span>
#include <string>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor.hpp"

namespace assay::reference {

/// A tensor argument and what the schema calls it; an element of a list goes by the list's name.
struct DispatchArgument {
  const char* name;
  Tensor tensor;
};

/// The device type of the kernel to call. Raises `not_implemented` where no kernel is registered
/// for the highest backend among the arguments (AMP-004, AMP-006), and `error` where the arguments
/// of a CUDA call are not all on one device (AMP-005).
DeviceType kernel_for(const Runtime& runtime, const std::string& op,
                      std::span<const DispatchArgument> arguments);

/// The key that the arguments dispatch to: `CPU`, `CUDA`, `SparseCUDA`, …
std::string backend_key_of(std::span<const DispatchArgument> arguments);

}  // namespace assay::reference
