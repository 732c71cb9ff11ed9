// Makes temporary folders, and removes those whose owner was killed.
#include "harness/console/folders.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>

namespace assay {
namespace {

constexpr std::string_view kRandomPart = "XXXXXX";

/// The locked folder, or -1: it is no folder of this user, or somebody has locked it.
int locked_folder(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat about {};
  const bool is_ours = ::fstat(fd, &about) == 0 && about.st_uid == ::geteuid();
  if (is_ours && ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return -1;
}

/// A new folder is not locked at once.
bool is_new(int folder) {
  constexpr std::time_t kSeconds = 60;
  struct stat about {};
  return ::fstat(folder, &about) != 0 || std::time(nullptr) - about.st_mtime < kSeconds;
}

void remove_abandoned(const std::filesystem::path& path) {
  const int fd = locked_folder(path);
  if (fd < 0) return;
  std::error_code ignored;
  if (!is_new(fd)) std::filesystem::remove_all(path, ignored);
  ::close(fd);
}

void remove_all_abandoned(const std::string& prefix) {
  std::error_code failed;
  std::filesystem::directory_iterator at(temporary_folder(), failed);
  for (; !failed && at != std::filesystem::directory_iterator(); at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const bool is_one =
        name.starts_with(prefix) && name.size() == prefix.size() + kRandomPart.size();
    if (is_one) remove_abandoned(at->path());
  }
}

}  // namespace

std::filesystem::path temporary_folder() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  return failed ? "/tmp" : folder;
}

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

TemporaryFolder::TemporaryFolder(std::string_view use) {
  const std::string prefix = fmt::format("assay-{}-", use);
  remove_all_abandoned(prefix);
  std::string name = (temporary_folder() / prefix).string().append(kRandomPart);
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("the folder {} cannot be made: {}", name, std::strerror(errno)));
  }
  path_ = name;
  lock_ = locked_folder(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace assay
