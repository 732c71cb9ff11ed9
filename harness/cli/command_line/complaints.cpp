// Words that are unknown, and values that are missing.
#include "harness/cli/command_line/complaints.hpp"

#include <string_view>

#include "harness/console/nearest.hpp"

namespace assay::cli {

std::string about_extras(const std::vector<std::string>& extras,
                         const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& word : extras) {
    if (!text.empty()) text += "\n  ";
    if (word.starts_with("-=")) {  // the rest of `-q=3`
      text += "'" + word.substr(1) + "' follows an option of one letter, which takes no value";
      continue;
    }
    const bool is_option = word.size() > 1 && word.front() == '-';
    const std::string name = word.substr(0, word.find('='));
    text += is_option ? "unknown option '" + name + "'" + suggestion(name, names)
                      : "'" + word + "' is one argument too many";
  }
  return text;
}

std::string about_value(const std::string& message) {
  constexpr std::string_view kOverride = " was given a disallowed flag override";
  if (message.ends_with(kOverride)) {
    const std::string name = message.substr(0, message.size() - kOverride.size());
    return (name.size() == 1 ? "-" : "--") + name + " takes no value";
  }
  constexpr std::string_view kBefore = ": 1 required ";
  constexpr std::string_view kBehind = " missing";
  const std::size_t at = message.find(kBefore);
  if (at == std::string::npos || !message.ends_with(kBehind)) return message;
  std::string kind = message.substr(at + kBefore.size());
  kind.resize(kind.size() - kBehind.size());
  kind.erase(0, kind.find(':') + 1);
  return message.substr(0, at) + " needs a value" + (kind == "TEXT" ? "" : " (" + kind + ")");
}

}  // namespace assay::cli
