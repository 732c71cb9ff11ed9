// Folders of the system.
#include "harness/console/folders.hpp"

namespace assay {

std::filesystem::path temporary_folder() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  return failed ? "/tmp" : folder;
}

}  // namespace assay
