// Reads files that the user names.
#pragma once

#include <string>

namespace assay {

/// The whole file. Throws UsageError, with the name and the reason, if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace assay
