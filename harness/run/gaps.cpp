// Counts and formats unanswered commands.
#include "harness/run/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/console/terminal.hpp"
#include "harness/suite/card/card.hpp"

namespace assay {
namespace {

using Counted = std::vector<std::pair<std::string, std::size_t>>;

/// The maximum number of shown entries per list; the record has all of them.
constexpr std::size_t kMost = 8;

template <typename Name>
Counted counted(const std::vector<CaseResult>& results, Name&& name) {
  std::map<std::string, std::size_t> counts;
  for (const CaseResult& result : results) {
    if (const std::string key = name(result); !key.empty()) ++counts[key];
  }
  Counted ranked(counts.begin(), counts.end());
  std::ranges::stable_sort(ranked, std::ranges::greater(), &Counted::value_type::second);
  return ranked;
}

bool is_excused(const CaseResult& result) {
  return result.outcome == Outcome::kUnsupported && result.excused;
}

bool is_judged(const CaseResult& result) { return !result.excuse.starts_with(kNotJudged); }

std::string excuse_of(const CaseResult& result) {
  return is_excused(result) && is_judged(result) ? result.excuse : "";
}

/// `the platform flushes subnormals`
std::string property_of(const CaseResult& result) {
  return is_excused(result) && !is_judged(result) ? result.excuse.substr(kNotJudged.size()) : "";
}

std::string rest_of(const Counted& list) {
  return list.size() > kMost ? fmt::format("and {} more", list.size() - kMost) : "";
}

std::string unanswered(const Counted& commands) {
  if (commands.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, commands.size()); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", commands[i].second, commands[i].first);
  }
  if (commands.size() > kMost) text += ", " + rest_of(commands);
  return "  not answered, and neither hello nor a support file says so\n" +
         wrapped(text, 4, columns_of_terminal(), 4);
}

std::string listed(std::string_view head, const Counted& reasons) {
  if (reasons.empty()) return "";
  std::string text = fmt::format("  {}\n", head);
  for (std::size_t i = 0; i < std::min(kMost, reasons.size()); ++i) {
    text += wrapped(fmt::format("{} {}", reasons[i].second, reasons[i].first), 4,
                    columns_of_terminal(), 2);
  }
  return reasons.size() > kMost ? text + "    " + rest_of(reasons) + "\n" : text;
}

}  // namespace

Counted unanswered_commands(const std::vector<CaseResult>& results) {
  return counted(results, [](const CaseResult& result) {
    if (!result.is_unanswered()) return std::string();
    return result.lacks.empty() ? result.failure->sentence : result.lacks;
  });
}

std::string gaps(const std::vector<CaseResult>& results) {
  return unanswered(unanswered_commands(results)) +
         listed("not answered, and excused", counted(results, excuse_of)) +
         listed("not judged, by what hello says of the subject", counted(results, property_of));
}

}  // namespace assay
