// Finds files relative to this program, so that both can be moved together.
#include "harness/subjects/companion.hpp"

#include <cstdlib>
#include <string>

#include "harness/suite/card/command_line.hpp"

namespace assay {

std::filesystem::path this_program() { return program_path(); }

std::filesystem::path companion(std::string_view name) {
  const std::filesystem::path beside = this_program().parent_path() / name;
  if (std::filesystem::exists(beside)) return beside;
  const auto installed = this_program().parent_path() / ASSAY_COMPANION_FOLDER / name;
  return std::filesystem::exists(installed) ? installed.lexically_normal() : beside;
}

void offer_python_package() {
  const std::string folder = companion("python").string();
  const char* given = std::getenv("PYTHONPATH");
  const std::string before = given == nullptr ? "" : given;
  if (!std::filesystem::exists(folder) || before.ends_with(folder)) return;
  setenv("PYTHONPATH", (before.empty() ? folder : before + ":" + folder).c_str(), 1);
}

}  // namespace assay
