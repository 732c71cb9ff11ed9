// Folders: what is there, and temporary ones.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace assay {

/// The directory of TMPDIR if it exists, else /tmp.
std::filesystem::path temporary_folder();

/// True if the path exists. False also for paths that are too long and for directories that the
/// user may not read.
bool is_there(const std::filesystem::path& path);

/// A private folder `assay-<use>-…` among the temporary ones. The destructor removes it. If the
/// process is killed, the next one that makes a folder for the same use removes it: a folder is
/// locked as long as its owner lives.
class TemporaryFolder {
 public:
  /// Throws std::runtime_error, which names the folder, if it cannot be made.
  explicit TemporaryFolder(std::string_view use);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace assay
