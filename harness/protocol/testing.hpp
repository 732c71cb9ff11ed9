// What unit tests share: the words of an error, parts of texts, and random damage to texts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// What the error says that `act` throws; `otherwise` if it throws none.
template <typename Error, typename Act>
std::string error_of(const Act& act, const char* otherwise = "") {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return otherwise;
}

inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The values of `"pattern": "…"` in a JSON text that match without a limit on the length.
/// std::regex matches recursively, so such a pattern ends the process on a long text.
inline std::vector<std::string> unlimited_patterns(std::string_view schema) {
  static constexpr std::string_view kBegin = "\"pattern\":";
  std::vector<std::string> found;
  for (auto at = schema.find(kBegin); at != std::string_view::npos; at = schema.find(kBegin, at)) {
    at = schema.find_first_not_of(' ', at + kBegin.size());
    if (schema[at] != '"') continue;  // a field of this name
    std::string pattern;
    bool is_unlimited = false, in_class = false;
    for (++at; schema[at] != '"'; ++at) {
      const char c = schema[at];
      if (c == '[' || c == ']') in_class = c == '[';
      const bool is_open_range = c == ',' && schema[at + 1] == '}';
      is_unlimited |= !in_class && (c == '+' || c == '*' || is_open_range);
      pattern += c;
      if (c != '\\') continue;
      at += schema[at + 1] == '\\' ? 2U : 1U;  // escaped for JSON, and for the pattern
      pattern += schema[at];
    }
    if (is_unlimited) found.push_back(pattern);
  }
  return found;
}

/// The same seed gives the same damage on every machine.
class Damage {
 public:
  /// `words` replace other words: values of other kinds, brackets, dates.
  Damage(std::uint64_t seed, std::vector<std::string> words)
      : random_(seed), words_(std::move(words)) {}

  /// Applies one to four kinds of damage.
  std::string operator()(std::string text) {
    for (std::uint64_t i = 1 + below(4); i > 0; --i) damage(text);
    return text;
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  void damage(std::string& text) {
    constexpr std::string_view kMeaningful = "{}[]\":,-.0123456789eE$~\\xfn=# \n";
    const std::size_t at = below(text.size() + 1);
    switch (below(7)) {
      case 0:
        text.insert(at, 1, kMeaningful[below(kMeaningful.size())]);
        break;
      case 1:
        text.erase(at, 1 + below(3));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 3:
        if (at < text.size()) text[at] = kMeaningful[below(kMeaningful.size())];
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text = text.substr(0, at) + text.substr(below(text.size() + 1));
        break;
      default:
        replace_a_value(text, at);
        break;
    }
  }

  void replace_a_value(std::string& text, std::size_t at) {
    const auto before = text.find_first_of(":=", at);
    if (before == std::string::npos || words_.empty()) return;
    const auto end = text.find_first_of(",}\n", before);
    if (end == std::string::npos) return;
    text.replace(before + 1, end - before - 1, words_[below(words_.size())]);
  }

  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

/// JSON values of unexpected kinds.
inline std::vector<std::string> other_json_values() {
  return {"null",
          "true",
          "-1",
          "1e999",
          "18446744073709551616",
          "1.5",
          "[]",
          "{}",
          "\"\"",
          "{\"f\":\"nan\"}",
          "{\"i\":\"9223372036854775807\"}",
          "{\"list\":[]}",
          "{\"ref\":\"nobody\"}",
          "{\"dtype\":\"bool\"}",
          "[[[[]]]]",
          "\"\\ud800\""};
}

}  // namespace assay
