// Reading a file whole.
#include "harness/cli/read_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/cli/errors.hpp"

namespace assay::cli {

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("cannot read {}: it is a folder", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.is_open() && !file.bad()) return text;
  throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
}

}  // namespace assay::cli
