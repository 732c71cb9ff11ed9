// Files and folders of the system.
#pragma once

#include <filesystem>

namespace assay {

/// That of TMPDIR, or /tmp where it names none that is there.
std::filesystem::path temporary_folder();

/// Is there something of that name? A command line may be too long for one, and a folder may be
/// closed to this user: no.
bool is_there(const std::filesystem::path& path);

}  // namespace assay
