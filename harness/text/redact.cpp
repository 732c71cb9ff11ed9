// Hides secrets in text.
#include "harness/text/redact.hpp"

#include <algorithm>
#include <string_view>

namespace assay {

std::string redacted(std::string text, const std::vector<std::string>& secrets) {
  constexpr std::string_view kHidden = "***";
  std::vector<std::string> longest_first = secrets;
  std::ranges::stable_sort(longest_first, std::ranges::greater(), &std::string::size);
  for (const std::string& secret : longest_first) {
    if (secret.empty()) continue;
    for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos;) {
      text.replace(at, secret.size(), kHidden);
      at += kHidden.size();
    }
  }
  return text;
}

}  // namespace assay
