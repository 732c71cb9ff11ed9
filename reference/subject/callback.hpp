// Callbacks of the client, as the runtime calls them: a kernel, a listener, a step.
#pragma once

#include <string>
#include <vector>

#include "reference/subject/call.hpp"

namespace assay::reference {

/// Calls it for whatever command this thread is answering, and passes its warnings on. Raises what
/// it raised.
Value call_back(Call& call, const std::string& callback, const std::vector<Value>& arguments,
                const Fields& named = {});

/// The same, but a tensor without a name comes back as a reference to it, with its history, valid
/// as long as `call`.
Value call_back_for_object(Call& call, const std::string& callback,
                           const std::vector<Value>& arguments);

}  // namespace assay::reference
