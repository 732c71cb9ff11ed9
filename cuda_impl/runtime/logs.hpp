// Logs for people who watch backends and events: what was asked, in order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::cuda {

enum class LogLevel : std::uint8_t { kBackend, kTrace };

/// The newest are kept, as many as somebody may still want to read.
void tell(LogLevel level, std::string text);
/// Those since the last time, oldest first.
std::vector<std::string> take_log(LogLevel level);

}  // namespace assay::cuda
