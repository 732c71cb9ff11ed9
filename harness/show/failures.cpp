// Formats lists of failures.
#include "harness/show/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "harness/suite/card/card.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/width.hpp"

namespace assay {
namespace {

constexpr std::size_t kOutcomeColumns = 8;

std::string outcome_cell(const CaseResult& result, bool colours) {
  const std::string cell = fmt::format("{:<{}}", name_of(result.outcome), kOutcomeColumns);
  return colours ? "\x1b[1;31m" + cell + "\x1b[0m" : cell;
}

std::string clause_line(const ClauseFailures& failures, std::size_t columns) {
  const Clause* clause = find_clause(failures.clause);
  const std::string title = clause == nullptr ? "" : "  " + clause->title;
  return cut_to(fmt::format("    {:>5}  {}{}", failures.count, failures.clause, title), columns);
}

std::string by_clause(const std::vector<const CaseResult*>& failures,
                      const FailureListOptions& options) {
  const std::vector<ClauseFailures> counts = count_by_clause(failures);
  if (counts.empty()) return "";
  const std::size_t shown = std::min(options.clauses, counts.size());
  std::string text = "  by the clause that the case is about\n";
  for (std::size_t i = 0; i < shown; ++i) text += clause_line(counts[i], options.columns) + "\n";
  if (shown < counts.size()) {
    text += fmt::format("           and {} more clauses\n", counts.size() - shown);
  }
  return text;
}

}  // namespace

std::vector<const CaseResult*> failures_of(const std::vector<CaseResult>& results) {
  std::vector<const CaseResult*> failures;
  for (const CaseResult& result : results) {
    if (result.spoils()) failures.push_back(&result);
  }
  std::ranges::stable_sort(failures, {},
                           [](const CaseResult* result) { return reach_of(*result->test); });
  return failures;
}

std::vector<ClauseFailures> count_by_clause(const std::vector<const CaseResult*>& failures) {
  std::map<std::string, ClauseFailures> counts;
  for (const CaseResult* result : failures) {
    if (result->test->clauses.empty()) continue;
    const std::string& clause = result->test->clauses.front();
    const Reach reach = reach_of(*result->test);
    ClauseFailures& counted = counts.try_emplace(clause, clause, 0, reach).first->second;
    ++counted.count;
    counted.reach = std::min(counted.reach, reach);
  }
  std::vector<ClauseFailures> ranked;
  for (const auto& [clause, counted] : counts) ranked.push_back(counted);
  std::ranges::stable_sort(ranked, [](const ClauseFailures& left, const ClauseFailures& right) {
    return std::tuple(left.reach, right.count) < std::tuple(right.reach, left.count);
  });
  return ranked;
}

bool are_of_several_reaches(const std::vector<const CaseResult*>& failures) {
  return std::ranges::adjacent_find(
             failures, std::ranges::not_equal_to(),
             [](const CaseResult* result) { return reach_of(*result->test); }) != failures.end();
}

std::string failure_list(const std::vector<CaseResult>& results,
                         const FailureListOptions& options) {
  const std::vector<const CaseResult*> failures = failures_of(results);
  if (failures.empty()) return "";
  std::string text =
      fmt::format("{} failure{}, repeated by\n", failures.size(), failures.size() == 1 ? "" : "s");
  const bool has_heads = are_of_several_reaches(failures);
  std::optional<Reach> head;
  for (const CaseResult* result : failures) {
    const Reach reach = reach_of(*result->test);
    if (has_heads && head != reach) text += fmt::format("  cases {}\n", in_words(reach));
    head = reach;
    text += fmt::format("  {}  {}\n", outcome_cell(*result, options.colours),
                        one_line(options.replay_of(*result)));
  }
  return text + by_clause(failures, options);
}

std::string FailureListOptions::replay_of(const CaseResult& result) const {
  return replay ? replay(result) : replay_line(result, subject);
}

std::string failure_line(const CaseResult& result, std::size_t columns, bool colours) {
  const std::size_t room = columns > kOutcomeColumns + 2 ? columns - kOutcomeColumns - 2 : 1;
  const std::string& id = result.test->id;
  const std::string why = result.failure ? "  " + result.failure->sentence : "";
  std::string rest = id + why;
  if (!result.test->clauses.empty()) {
    const std::string whole = id + "  " + result.test->clauses.front() + why;
    if (columns_of(one_line(whole)) <= room) rest = whole;
  }
  return outcome_cell(result, colours) + "  " + cut_to(rest, room) + "\n";
}

std::string slowest(const std::vector<CaseResult>& results, std::size_t most, std::size_t columns) {
  std::vector<const CaseResult*> ranked;
  for (const CaseResult& result : results) ranked.push_back(&result);
  std::ranges::stable_sort(ranked, std::ranges::greater(),
                           [](const CaseResult* result) { return result->duration; });
  ranked.resize(std::min(most, ranked.size()));
  if (ranked.empty()) return "";
  std::string text = fmt::format("slowest {} of {} cases\n", ranked.size(), results.size());
  for (const CaseResult* result : ranked) {
    const std::chrono::duration<double> seconds = result->duration;
    const std::string line = fmt::format("  {:9.3f} s  {}  {}", seconds.count(), result->test->id,
                                         to_text(result->contract));
    text += cut_to(line, columns) + "\n";
  }
  return text;
}

}  // namespace assay
