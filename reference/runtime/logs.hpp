// Logs of backend calls and event traces, one text for each call.
#pragma once

#include <string>
#include <vector>

#include "reference/core/runtime.hpp"

namespace assay::reference {

/// A text such as `cuda.exch(1)`.
void log_backend_call(Runtime& runtime, std::string text);
/// A text such as `record(4,16)`: the handles of the event and the stream (EVT-033).
void log_trace(Runtime& runtime, std::string text);

/// Removes and returns the texts of all threads, in order.
std::vector<std::string> take_backend_log(Runtime& runtime);
std::vector<std::string> take_trace_log(Runtime& runtime);

}  // namespace assay::reference
