// What the wrapper of a backend's kernel does before the kernel: one device for all tensors.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// The device of the first defined tensor among the arguments, or in their lists; nothing without
/// any. Raises `error` naming both devices, the argument and the operator for a tensor on another,
/// whatever its shape (DSP-219).
std::optional<Device> common_device(const FunctionSchema& schema,
                                    std::span<const IValue> arguments);

}  // namespace assay::reference
