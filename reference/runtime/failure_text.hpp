// The message of a failed driver call.
#pragma once

#include <source_location>
#include <string>

#include "reference/core/runtime.hpp"
#include "reference/runtime/device/codes.hpp"

namespace assay::reference {

/// FLT-005: the driver's text, a help line (2.11), a line on debugging, and the source location.
std::string failure_text(const Runtime& runtime, Code code, const std::source_location& where);

}  // namespace assay::reference
