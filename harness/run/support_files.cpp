// Reads support files.
#include "harness/run/support_files.hpp"

#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"

namespace assay {

std::vector<SupportEntry> read_support(const std::vector<std::string>& paths) {
  std::vector<SupportEntry> all;
  for (const std::string& path : paths) {
    const std::string text = read_file(path);
    try {
      for (SupportEntry& entry : support_from_toml(text, path)) all.push_back(std::move(entry));
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what());
    }
  }
  return all;
}

}  // namespace assay
