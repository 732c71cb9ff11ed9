// File system helpers.
#pragma once

#include <filesystem>

namespace assay {

/// The directory of TMPDIR if it exists, else /tmp.
std::filesystem::path temporary_folder();

/// True if the path exists. False also for paths that are too long and for directories that the
/// user may not read.
bool is_there(const std::filesystem::path& path);

}  // namespace assay
