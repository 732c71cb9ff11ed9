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

}  // namespace

std::string shell_quoted(std::string_view text) {
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
