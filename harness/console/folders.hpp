// Folders of the system.
#pragma once

#include <filesystem>

namespace assay {

/// That of TMPDIR, or /tmp where it names none that is there.
std::filesystem::path temporary_folder();

}  // namespace assay
