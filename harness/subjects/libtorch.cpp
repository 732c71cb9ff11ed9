// Finds the program and the shared library next to this program.
#include "harness/subjects/libtorch.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "harness/console/usage_error.hpp"
#include "harness/subjects/companion.hpp"

namespace assay {
namespace {

constexpr const char* kProgram = "assay-libtorch";
constexpr const char* kPlugin = "assay-libtorch.so";

std::string found(const char* name) {
  if (std::filesystem::exists(companion(name))) return companion(name).string();
  throw UsageError(
      fmt::format("the subject 'libtorch' was not built: there is no {} beside this program, "
                  "because CMake found no libtorch (Debian has it as libtorch-dev) or it "
                  "was not asked for (cmake --build build --target {})",
                  name, name == std::string_view(kPlugin) ? "assay_libtorch_plugin" : kProgram));
}

}  // namespace

std::string libtorch_program() { return found(kProgram); }
std::string libtorch_plugin() { return found(kPlugin); }
bool has_libtorch_plugin() { return std::filesystem::exists(companion(kPlugin)); }

}  // namespace assay
