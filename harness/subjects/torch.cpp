// Unpacks the adapter for the lifetime of this program.
#include "harness/subjects/torch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>

#include "harness/console/folders.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/protocol/embedded.hpp"
#include "harness/subjects/companion.hpp"
#include "harness/subjects/connect.hpp"

namespace assay {

std::span<const EmbeddedFile> torch_adapter();

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError(fmt::format("cannot start the subject 'torch': {}", why));
}

void write(const EmbeddedFile& file, const std::filesystem::path& folder) {
  const auto path = folder / file.name;
  std::error_code ignored;  // writing the file then fails
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream out(path, std::ios::binary);
  out << file.text;
  if (!out.flush()) refuse(fmt::format("its adapter could not be written to {}", path.string()));
}

std::unique_ptr<TemporaryFolder> unpacked_adapter() {
  std::unique_ptr<TemporaryFolder> folder;
  try {
    folder = std::make_unique<TemporaryFolder>("torch");
  } catch (const std::runtime_error& error) {
    refuse(error.what());
  }
  for (const EmbeddedFile& file : torch_adapter()) write(file, folder->path());
  return folder;
}

/// The library for `--simulated` without a value: the one next to this program.
std::string simulated_runtime() {
  const auto library = companion("libassay_cudart_on_cpu.so");
  if (std::filesystem::exists(library)) return library.string();
  throw UsageError(fmt::format(
      "--simulated: there is no {}; it is built where CUDA's headers are found", library.string()));
}

/// Adds the library to a `--simulated` without a value.
void complete_simulated(std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), "--simulated");
  if (found == words.end()) return;
  const auto next = found + 1;
  if (next == words.end() || next->starts_with("--")) words.insert(next, simulated_runtime());
}

}  // namespace

bool asks_accelerator(const std::vector<std::string>& words) {
  if (std::ranges::find(words, "--generic") != words.end()) return true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--device")) continue;
    const bool is_joined = words[i].starts_with("--device=");
    if (!is_joined && i + 1 == words.size()) return false;
    const std::string device = is_joined ? words[i].substr(9) : words[i + 1];
    const std::string type = device.substr(0, device.find(':'));
    return type != "cpu" && type != "cuda";
  }
  return false;
}

bool is_torch(const std::string& text) { return text == "torch" || text.starts_with("torch "); }

std::string torch_interpreter(const std::optional<std::string>& interpreter) {
  if (interpreter) return *interpreter;
  const char* named = std::getenv("ASSAY_PYTHON");
  return named == nullptr || *named == 0 ? "python3" : named;
}

std::vector<std::string> torch_command(const std::string& text,
                                       const std::optional<std::string>& interpreter) {
  static const std::unique_ptr<TemporaryFolder> adapter = unpacked_adapter();
  std::vector<std::string> words = split_words(text);
  complete_simulated(words);
  words.front() = adapter->path().string();
  words.insert(words.begin(), {torch_interpreter(interpreter), "-B"});
  return words;
}

}  // namespace assay
