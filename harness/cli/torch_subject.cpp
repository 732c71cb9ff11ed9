// Unpacks the adapter for as long as this program runs.
#include "harness/cli/torch_subject.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>

#include "harness/cli/errors.hpp"
#include "harness/cli/subjects.hpp"
#include "harness/protocol/embedded.hpp"

namespace assay {

std::span<const EmbeddedFile> torch_adapter();

namespace cli {
namespace {

/// A folder of this process alone, gone when it ends.
class Unpacked {
 public:
  Unpacked() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-torch-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) refuse(name);
    folder_ = name;
    for (const EmbeddedFile& file : torch_adapter()) write(file);
  }
  ~Unpacked() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  [[noreturn]] static void refuse(const std::string& name) {
    throw UsageError(fmt::format(
        "cannot start the subject 'torch': its adapter could not be written to {}", name));
  }

  void write(const EmbeddedFile& file) const {
    const auto path = folder_ / std::filesystem::path(file.name).filename();
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    if (!out.flush()) refuse(path.string());
  }

  std::filesystem::path folder_;
};

}  // namespace

bool is_torch(const std::string& text) { return text == "torch" || text.starts_with("torch "); }

std::string torch_interpreter(const std::optional<std::string>& interpreter) {
  if (interpreter) return *interpreter;
  const char* named = std::getenv("ASSAY_PYTHON");
  return named == nullptr || *named == 0 ? "python3" : named;
}

std::vector<std::string> torch_command(const std::string& text,
                                       const std::optional<std::string>& interpreter) {
  static const Unpacked adapter;
  std::vector<std::string> words = split_words(text);
  words.front() = adapter.folder().string();
  words.insert(words.begin(), {torch_interpreter(interpreter), "-B"});
  return words;
}

}  // namespace cli
}  // namespace assay
