// Counting brackets outside strings.
#include "harness/protocol/json_depth.hpp"

#include <string>

#include "harness/protocol/json.hpp"

namespace assay {

void refuse_deep_nesting(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if ((c == '{' || c == '[') && ++depth > kDeepestJson) {
      throw MalformedMessage("it nests deeper than " + std::to_string(kDeepestJson) + " levels");
    }
  }
}

}  // namespace assay
