// What backends and traces have seen, a text a call.
#pragma once

#include <string>
#include <vector>

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// `cuda.exch(1)`
void log_backend_call(Runtime& runtime, std::string text);
/// `record(4,16)`: the event's handle, and the stream's (EVT-033).
void log_trace(Runtime& runtime, std::string text);

/// Of all threads, in order, since they were last taken.
std::vector<std::string> take_backend_log(Runtime& runtime);
std::vector<std::string> take_trace_log(Runtime& runtime);

}  // namespace assay::reference
