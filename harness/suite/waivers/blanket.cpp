// Rejects waivers that were not filled in, and waivers that match any failure.
#include "harness/suite/waivers/blanket.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>

#include "harness/protocol/utf8.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {
namespace {

/// Typical messages of failures, without details of a single failure.
constexpr std::array kCommonSentences{
    "the values differ",
    "element [0] differs by 1 ULP of float32",
    "command 1 of 2: result differs",
    "an error of another kind",
    "no error was raised",
    "the message lacks 'scale'",
    "expected no error, got error: not supported",
    "the subject died of SIGSEGV",
    "the subject ended with status 1",
    "no reply to 'reset' within 30000 ms",
    "answered out of protocol: no id",
    "no command of this name",
};

/// The first words of placeholder texts.
constexpr std::array<std::string_view, 5> kLater{"todo", "fixme", "tbd", "tba", "xxx"};

/// Characters beyond ASCII without a meaning of their own, from the first to the last of each row:
/// punctuation, symbols, combining marks, and everything that cannot be seen.
constexpr std::array<std::array<std::uint32_t, 2>, 19> kWordless{{
    {0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},       {0x300, 0x36f},
    {0x61c, 0x61c},   {0x115f, 0x1160}, {0x1680, 0x1680}, {0x17b4, 0x17b5},   {0x180b, 0x180f},
    {0x2000, 0x2800}, {0x2900, 0x2bff}, {0x3000, 0x3003}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xffff}, {0xe0000, 0xe0fff},
}};

/// Names of nonexistent cases: a pattern that matches both is not specific.
constexpr std::array kStrangers{"first/group/case", "other/name"};

/// Lower case, without surrounding white space and a full stop.
std::string trimmed(std::string_view text) {
  const auto is_border = [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '.';
  };
  while (!text.empty() && is_border(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_border(text.back())) text.remove_suffix(1);
  std::string low(text);
  std::ranges::transform(low, low.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

/// The text without the characters beyond ASCII that say nothing.
std::string with_words_alone(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_sequence(text), 1);
    const std::string_view character = text.substr(0, length);
    text.remove_prefix(length);
    const auto is_in = [code = code_point(character)](const auto& row) {
      return row[0] <= code && code <= row[1];
    };
    if (length == 1 || std::ranges::none_of(kWordless, is_in)) kept += character;
  }
  return kept;
}

std::string unwritten_key(const Waiver& waiver) {
  const auto waits = [](const std::string& text, const char* suggested) {
    return is_unwritten(text) || trimmed(text) == suggested;
  };
  if (waits(waiver.reason, kUnwrittenReason)) return "reason";
  if (waits(waiver.link, kUnwrittenLink)) return "link";
  if (waits(waiver.owner, kUnwrittenOwner)) return "owner";
  return "";
}

bool fits(const Waiver& waiver, const char* sentence) {
  Failure failure;
  failure.sentence = sentence;
  return has_signature(waiver, failure);
}

bool covers_every_case(const std::string& glob) {
  return std::ranges::all_of(kStrangers, [&](const char* id) { return glob_matches(glob, id); });
}

/// An area whose cases all match the glob; empty if there is none. Areas with a single case are
/// ignored.
std::string area_covered_by(const std::string& glob) {
  struct Count {
    std::size_t all = 0, covered = 0;
  };
  std::map<std::string, Count> areas;
  for (const Case& test : all_cases()) {
    Count& count = areas[test.id.substr(0, test.id.find('/'))];
    ++count.all;
    if (glob_matches(glob, test.id)) ++count.covered;
  }
  const auto found = std::ranges::find_if(areas, [](const auto& area) {
    return area.second.all > 1 && area.second.covered == area.second.all;
  });
  return found == areas.end() ? "" : found->first;
}

}  // namespace

bool is_unwritten(std::string_view text) {
  const std::string words = trimmed(with_words_alone(text));
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto end = std::ranges::find_if_not(words, is_letter);
  const std::string_view first(words.begin(), end);
  return std::ranges::none_of(words,
                              [](unsigned char c) { return std::isalnum(c) != 0 || c > 127; }) ||
         std::ranges::find(kLater, first) != kLater.end();
}

std::string refusal_of(const Waiver& waiver) {
  if (const std::string key = unwritten_key(waiver); !key.empty()) {
    return fmt::format("'{}' is still to be written", key);
  }
  const auto fits_this = [&](const char* sentence) { return fits(waiver, sentence); };
  if (covers_every_case(waiver.cases)) {
    const auto common = std::ranges::find_if(kCommonSentences, fits_this);
    if (common == kCommonSentences.end()) return "";
    return fmt::format(
        "cases = '{}' is every case, and the signature fits a failure as common as \"{}\": name "
        "the cases, or words that only this failure has",
        waiver.cases, *common);
  }
  if (!std::ranges::all_of(kCommonSentences, fits_this)) return "";
  const std::string area = area_covered_by(waiver.cases);
  if (area.empty()) return "";
  return fmt::format(
      "cases = '{}' is the whole area {}, and the signature fits any failure: name the cases, or "
      "words that only this failure has",
      waiver.cases, area);
}

}  // namespace assay
