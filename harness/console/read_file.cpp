// Reading a file whole.
#include "harness/console/read_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "harness/console/usage_error.hpp"

namespace assay {
namespace {

/// Some devices have no end.
constexpr std::size_t kMostBytes = std::size_t{512} << 20;

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("cannot read {}: it is a folder", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> chunk;
  while (file.read(chunk.data(), chunk.size()) || file.gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostBytes) {
      throw UsageError(fmt::format("cannot read {}: it has more than {} bytes", path, kMostBytes));
    }
  }
  if (file.is_open() && !file.bad()) return text;
  throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
}

}  // namespace assay
