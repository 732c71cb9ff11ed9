// Quotes text for a POSIX shell.
#include "harness/suite/card/shell_words.hpp"

#include <algorithm>

namespace assay {
namespace {

bool is_plain(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') ||
         std::string_view("/._-+=:,@%").find(c) != std::string_view::npos;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Control characters as octal numbers between `$'` and `'`: a terminal would not show them, and
/// what it shows instead would be another text.
std::string in_escapes(std::string_view text) {
  constexpr std::string_view kDigits = "01234567";
  std::string word = "$'";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      word += {'\\', c};
    } else if (is_control(c)) {
      word += {'\\', kDigits[code >> 6], kDigits[code >> 3 & 7], kDigits[code & 7]};
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  if (std::ranges::any_of(text, is_control)) return in_escapes(text);
  if (text.find_first_of("\"$`\\!") == std::string_view::npos) return '"' + std::string(text) + '"';
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string shell_word(std::string_view text) {
  const bool is_word = !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
  return is_word ? std::string(text) : shell_quoted(text);
}

}  // namespace assay
