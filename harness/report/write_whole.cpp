// Replacing a file in one step.
#include "harness/report/write_whole.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace assay::report {
namespace {

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

void write_whole(const std::string& path, std::string_view text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);

  const std::string beside = fmt::format("{}.{}.tmp", path, getpid());
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = file >= 0 && write_all(file, text) && fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) good = close(file) == 0 && good;
  if (good && std::rename(beside.c_str(), path.c_str()) == 0) return;
  const int why = good ? errno : reason;
  std::remove(beside.c_str());
  throw CannotWrite(fmt::format("cannot write {}: {}", path, std::strerror(why)));
}

}  // namespace assay::report
