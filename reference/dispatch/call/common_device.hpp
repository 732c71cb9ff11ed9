// The common-device check in the wrapper of a backend's kernel.
#pragma once

#include <optional>
#include <span>

#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// Returns the device of the first defined tensor in the arguments and their lists; empty if there
/// is none. Raises `error`, naming both devices, the argument and the operator, if another tensor
/// is on a different device, whatever its shape (DSP-219).
std::optional<Device> common_device(const FunctionSchema& schema,
                                    std::span<const IValue> arguments);

}  // namespace assay::reference
