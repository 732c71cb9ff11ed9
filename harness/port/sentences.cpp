// Looks for names of releases in Markdown.
#include "harness/port/sentences.hpp"

#include <algorithm>
#include <cctype>
#include <ranges>

namespace assay {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Not a part of a longer number or version, as 2.1 is of 2.13 and of 2.1.0.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin > 0 && (is_digit(text[begin - 1]) || text[begin - 1] == '.')) return false;
  const std::string_view rest = text.substr(end);
  if (rest.empty()) return true;
  return !is_digit(rest[0]) && !(rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]));
}

bool names(std::string_view text, std::string_view words) {
  for (auto at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    if (stands_alone(text, at, at + words.size())) return true;
  }
  return false;
}

/// Paragraphs, list items and table rows, each on one line.
std::vector<std::string> blocks_of(std::string_view text) {
  std::vector<std::string> blocks(1);
  for (const auto part : std::views::split(text, '\n')) {
    std::string_view line(part.begin(), part.end());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const bool begins = line.empty() || line.starts_with("- ") || line.starts_with('|');
    if (line.starts_with('#')) continue;
    if (begins) blocks.emplace_back();
    if (line.starts_with("- ")) line.remove_prefix(2);
    if (!blocks.back().empty()) blocks.back() += ' ';
    blocks.back() += line;
  }
  return blocks;
}

/// Without the brackets that name what was run, or where it was read.
std::string without_evidence(std::string_view text) {
  std::string left;
  int depth = 0;
  for (const char c : text) {
    if (c == '[') ++depth;
    if (depth == 0 && !(c == ' ' && left.ends_with(' '))) left += c;
    if (c == ']' && depth > 0) --depth;
  }
  return left;
}

std::vector<std::string> sentences_of(std::string_view block) {
  std::vector<std::string> sentences;
  while (!block.empty()) {
    std::size_t end = block.find(". ");
    end = end == std::string_view::npos ? block.size() : end + 1;
    std::string sentence = without_evidence(block.substr(0, end));
    while (sentence.ends_with(' ')) sentence.pop_back();
    if (sentence.ends_with(" .")) sentence.replace(sentence.size() - 2, 2, ".");
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
    block.remove_prefix(std::min(block.find_first_not_of(' ', end), block.size()));
  }
  return sentences;
}

bool is_about(std::string_view sentence, Release older, Release newer) {
  const std::string until = "ntil " + std::string(name_of(older));
  const std::string up_to = "p to " + std::string(name_of(older));
  if (names(sentence, until) || names(sentence, up_to)) return true;
  return std::ranges::any_of(kReleases, [&](Release each) {
    return older < each && each <= newer && names(sentence, name_of(each));
  });
}

}  // namespace

std::vector<std::string> sentences_about(std::string_view clause, Release older, Release newer) {
  std::vector<std::string> found;
  for (const std::string& block : blocks_of(clause)) {
    for (std::string& sentence : sentences_of(block)) {
      if (is_about(sentence, older, newer)) found.push_back(std::move(sentence));
    }
  }
  return found;
}

}  // namespace assay
