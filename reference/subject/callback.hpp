// Client callbacks that the runtime calls, such as kernels, listeners and steps.
#pragma once

#include <string>
#include <vector>

#include "reference/subject/call.hpp"

namespace assay::reference {

/// Runs the callback within the command that this thread is answering, and forwards its warnings.
/// Raises its error.
Value call_back(Call& call, const std::string& callback, const std::vector<Value>& arguments,
                const Fields& named = {});

/// The same, but an unnamed result tensor is returned as a reference with its history, which is
/// valid as long as `call`.
Value call_back_for_object(Call& call, const std::string& callback,
                           const std::vector<Value>& arguments);

}  // namespace assay::reference
