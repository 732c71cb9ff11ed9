// Replaces a file in one step.
#include "harness/report/write_whole.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "harness/text/journal_begins.hpp"
#include "harness/text/outlets.hpp"

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

/// True for pipes, terminals and /dev/null, which cannot be replaced by a file.
bool is_special(const std::string& path) {
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  return std::filesystem::exists(there) && !std::filesystem::is_regular_file(there) &&
         !std::filesystem::is_directory(there);
}

/// The descriptor that the path names, if any. It is written to directly, because it may not be
/// reopenable, and to continue at a file's current position.
std::optional<int> descriptor_in(const std::string& path) {
  if (path == "/dev/stdout") return fileno(own_output());
  if (path == "/dev/stderr") return fileno(own_errors());
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error != std::errc() || rest != end || number < 0) continue;
    if (number == STDOUT_FILENO) return fileno(own_output());
    return number == STDERR_FILENO ? fileno(own_errors()) : number;
  }
  return std::nullopt;
}

[[noreturn]] void cannot_write(const std::string& path, int reason) {
  throw CannotWrite(fmt::format("cannot write {}: {}", path, std::strerror(reason)));
}

void write_to(int descriptor, const std::string& path, std::string_view text) {
  std::fflush(nullptr);
  if (!write_all(descriptor, text)) cannot_write(path, errno);
}

/// Opening a pipe waits for a reader, with a time limit.
int open_special(const std::string& path) {
  constexpr std::chrono::milliseconds kPause{20};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0) {
      fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
      return file;
    }
    if (errno != ENXIO) cannot_write(path, errno);
    if (std::chrono::steady_clock::now() > end) {
      throw CannotWrite(fmt::format("cannot write {}: no process reads this pipe", path));
    }
    std::this_thread::sleep_for(kPause);
  }
}

void write_into(const std::string& path, std::string_view text) {
  const int file = open_special(path);
  const bool good = write_all(file, text);
  const int reason = errno;
  close(file);
  if (!good) cannot_write(path, reason);
}

std::string beside(const std::string& path) { return fmt::format("{}.{}.tmp", path, getpid()); }

/// An existing file with this name was left by a process that has ended.
int open_new(const std::string& path) {
  std::remove(path.c_str());
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/// A file without a name, of which nothing is left if this process is killed; -1 where the file
/// system has none.
int open_nameless(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

/// Gives the file its first name.
bool link_as(int file, const std::string& path) {
  std::remove(path.c_str());
  const std::string self = fmt::format("/proc/self/fd/{}", file);
  return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void replace(const std::string& path, std::string_view text) {
  const std::string new_file = beside(path);
  int file = open_nameless(path);
  if (file >= 0 && write_all(file, text) && fsync(file) == 0 && link_as(file, new_file)) {
    close(file);
    if (std::rename(new_file.c_str(), path.c_str()) == 0) return;
  } else if (file >= 0) {
    close(file);
  }
  file = open_new(new_file);
  bool good = file >= 0 && write_all(file, text) && fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) good = close(file) == 0 && good;
  if (good && std::rename(new_file.c_str(), path.c_str()) == 0) return;
  const int why = good ? errno : reason;
  std::remove(new_file.c_str());
  cannot_write(path, why);
}

/// Nothing makes a folder for a file: its name may be mistyped.
void expect_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return;
  throw CannotWrite(fmt::format("cannot write {}: there is no folder {}", path, folder.string()));
}

}  // namespace

std::string written_path(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::error_code failed;
  std::filesystem::path file = std::filesystem::absolute(path, failed);
  for (int i = 0; i < kMostLinks && !failed; ++i) {
    const std::filesystem::path target = std::filesystem::read_symlink(file, failed);
    if (!failed) file = file.parent_path() / target;
  }
  const std::filesystem::path whole = std::filesystem::weakly_canonical(file, failed);
  return failed ? path : whole.string();
}

bool is_descriptor(const std::string& path) { return descriptor_in(path).has_value(); }

void refuse_journal(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;  // opening a pipe would block
  std::array<char, kJournalBegins.size()> first{};
  std::ifstream(path, std::ios::binary).read(first.data(), first.size());
  if (std::string_view(first.data(), first.size()) != kJournalBegins) return;
  throw CannotWrite(fmt::format(
      "cannot write {}: it is the journal of a run; remove it if it is no longer needed", path));
}

void check_can_write(const std::string& path) {
  if (const auto descriptor = descriptor_in(path)) {
    const int flags = fcntl(*descriptor, F_GETFL);
    if (flags < 0) cannot_write(path, errno);
    if ((flags & O_ACCMODE) == O_RDONLY) cannot_write(path, EBADF);
    return;
  }
  if (is_special(path)) {
    if (access(path.c_str(), W_OK) != 0) cannot_write(path, errno);
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) cannot_write(path, EISDIR);
  expect_folder_of(path);
  const std::string new_file = beside(written_path(path));
  const int file = open_new(new_file);
  if (file < 0) cannot_write(path, errno);
  close(file);
  std::remove(new_file.c_str());
}

void refuse_unwritable(const std::string& path) {
  if (path.empty()) return;
  refuse_journal(path);
  check_can_write(path);
}

void write_whole(const std::string& path, std::string_view text) {
  if (const auto descriptor = descriptor_in(path)) return write_to(*descriptor, path, text);
  if (is_special(path)) return write_into(path, text);
  expect_folder_of(path);
  refuse_journal(path);
  replace(written_path(path), text);
}

}  // namespace assay::report
