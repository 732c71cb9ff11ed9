// A card for each failure: the clause, the commands, the replies, and how to repeat it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "harness/page/data/clause_text.hpp"
#include "harness/page/sections/sections.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {
namespace {

/// The first cards are expanded.
constexpr std::size_t kMostOpen = 8;
/// The maximum number of rows for cases without a card.
constexpr std::size_t kMostRows = 1000;
constexpr std::size_t kMostExchanges = 12;
/// A longer list is collapsed.
constexpr std::size_t kMostClauses = 20;

Markup labelled(const char* label, const Markup& content) {
  if (content.empty()) return {};
  return element("dt", label) + element("dd", content);
}

Markup block_unless_empty(const std::string& text) {
  return text.empty() ? Markup() : code_block(cut(text));
}

Markup clauses_of(const report::CaseRecord& test) {
  Markup content;
  for (const std::string& id : test.clauses) {
    const Clause* clause = find_clause(id);
    const Markup head =
        link_to(anchor_of_clause(id), id) +
        (clause == nullptr ? Markup() : Markup(" ") + inline_markdown(clause->title));
    content += element("dt", "Clause") +
               element("dd", clause == nullptr ? head : head + clause_body(*clause));
  }
  return content;
}

Markup exchange_rows(const report::CaseRecord& test, std::size_t first) {
  Markup rows;
  for (std::size_t i = first; i < test.program.size(); ++i) {
    const auto& [command, reply] = test.program[i];
    rows += element(
        "li", {{"value", std::to_string(i + 1)}},
        element("div", element("span", {{"class", "tag"}}, "asked ") + code(cut(command, 1500))) +
            element("div", element("span", {{"class", "tag"}}, "reply ") + code(cut(reply, 1500))));
  }
  return element("ol", {{"class", "program"}}, rows);
}

Markup program_of(const report::CaseRecord& test) {
  const std::size_t size = test.program.size();
  if (size < 2) return {};
  const std::size_t first = size > kMostExchanges ? size - kMostExchanges : 0;
  const std::string summary =
      first == 0
          ? fmt::format("The whole program: {} commands", size)
          : fmt::format("The last {} of {} commands; the record has all", kMostExchanges, size);
  return foldable(summary, exchange_rows(test, first));
}

Markup comparison_of(const report::CaseRecord& test) {
  return labelled("Expected", block_unless_empty(test.expected)) +
         labelled("Got", block_unless_empty(test.got)) +
         labelled("Its last words", block_unless_empty(test.last_words));
}

Markup last_exchange(const report::CaseRecord& test) {
  if (test.program.empty()) return {};
  const auto& [command, reply] = test.program.back();
  return labelled("Last command", code_line(cut(command))) +
         labelled("Reply", code_line(cut(reply)));
}

Markup rows_of(const report::CaseRecord& test) {
  const std::string where =
      test.where.empty() ? fmt::format("{}:{}", test.file, test.line) : test.where;
  const Markup rows =
      labelled("What", Markup(cut(test.sentence)) + " (" + code(where) + ")") +
      comparison_of(test) + labelled("Short program", block_unless_empty(test.shortest)) +
      last_exchange(test) + clauses_of(test) +
      labelled("Run it again", test.replay.empty() ? Markup() : code_line(test.replay));
  return element("dl", rows) + program_of(test);
}

/// `all 28 contracts`, or their names.
std::string contracts_text(const FailureGroup::Place& place) {
  const std::size_t all = place.run->contracts.size();
  if (all > 1 && place.contracts.size() == all) return fmt::format("all {} contracts", all);
  return fmt::format("{}", fmt::join(place.contracts, ", "));
}

/// `on reference under 2.11/cuda/strict`; only the first few of many subjects.
std::string places_text(const FailureGroup& failure) {
  constexpr std::size_t kMost = 4;
  std::string text = "on ";
  for (std::size_t i = 0; i < std::min(failure.places.size(), kMost); ++i) {
    const FailureGroup::Place& place = failure.places[i];
    text +=
        fmt::format("{}{} under {}", i == 0 ? "" : "; ", place.run->label, contracts_text(place));
  }
  if (failure.places.size() > kMost)
    text += fmt::format("; and {}", counted(failure.places.size() - kMost, "more subject"));
  return text;
}

Markup card_of(const FailureGroup& failure, bool is_open) {
  const report::CaseRecord& test = *failure.test;
  const Markup head = outcome_mark(test.outcome, true) + " " + element("b", breakable(test.id));
  const std::string met = failure.reach() == Reach::kTraining
                              ? ""
                              : fmt::format(" · a case {}", in_words(failure.reach()));
  const Markup under = Markup(places_text(failure) + met) + " · " +
                       link_to(anchor_of_case(test.id), "in the list of cases");
  return element(
      "article", {{"class", "card"}, {"id", failure.anchor}},
      foldable(head, element("p", {{"class", "under"}}, under) + rows_of(test), "", is_open));
}

/// The violated clauses, with the subjects.
Markup broken_clauses(const std::vector<BrokenClause>& clauses) {
  Table table{fmt::format("{} in failed cases", counted(clauses.size(), "clause")),
              {"Clause", "Title", "Failed cases", "Subjects"},
              {},
              true};
  for (const BrokenClause& broken : clauses) {
    const Clause* clause = find_clause(broken.id);
    table.rows.push_back({{{link_to(anchor_of_clause(broken.id), broken.id), {}},
                           {clause == nullptr ? Markup() : inline_markdown(clause->title), {}},
                           number(static_cast<double>(broken.cases.size()),
                                  link_to(broken.anchor, std::to_string(broken.cases.size()))),
                           {some_of(broken.subjects), {}}},
                          ""});
  }
  if (table.rows.empty()) return {};
  return foldable(element("b", "Violated clauses"), to_markup(table), "broken-clauses",
                  table.rows.size() <= kMostClauses);
}

/// The planted faults that fail as the subjects do.
Markup causes_of(const std::vector<SubjectRun>& runs) {
  Table table{
      "It fails as if", {"Cause", "Clause", "Explains", "In the same way", "Subject"}, {}, true};
  for (const SubjectRun& run : runs) {
    for (const report::CauseRecord& cause : run.subject->causes) {
      table.rows.push_back({{{cut(report::in_words(cause), 700), {}},
                             {link_to(anchor_of_clause(cause.clause), cause.clause), {}},
                             number(cause.cases.size()),
                             number(cause.exact.size()),
                             {breakable(run.label), {}}},
                            ""});
    }
  }
  return table.rows.empty() ? Markup() : to_markup(table);
}

/// A case with failures that have no card.
struct Rest {
  const FailureGroup* first;
  std::set<std::string> subjects;
  std::size_t ways = 0;
};

std::vector<Rest> rest_of(const std::vector<FailureGroup>& failures) {
  std::vector<Rest> cases;
  std::map<std::string_view, std::size_t> places;
  for (const FailureGroup& failure : failures) {
    if (failure.is_card) continue;
    const auto [place, is_new] = places.emplace(failure.test->id, cases.size());
    if (is_new) cases.push_back({&failure, {}});
    Rest& rest = cases[place->second];
    for (const auto& at : failure.places) rest.subjects.insert(at.run->label);
    ++rest.ways;
  }
  return cases;
}

Markup table_of(const std::vector<Rest>& cases) {
  if (cases.empty()) return {};
  Table table{fmt::format("Failures without a card: {}", counted(cases.size(), "case")),
              {"Case", "Outcome", "Subjects", "Ways", "What, the first time"},
              {},
              true};
  for (const Rest& rest : cases) {
    const report::CaseRecord& test = *rest.first->test;
    table.rows.push_back({{{link_to(anchor_of_case(test.id), breakable(test.id)), {}},
                           {outcome_mark(test.outcome, true), {}},
                           {some_of(rest.subjects), {}},
                           number(rest.ways),
                           {cut(test.sentence, 200), {}}},
                          rest.first->anchor});
  }
  return to_markup(table, kMostRows, "case");
}

}  // namespace

Section failures_section(const PageData& page_data) {
  const auto& failures = page_data.failures;
  Markup content = causes_of(page_data.runs) + broken_clauses(page_data.broken);
  std::size_t cards = 0;
  const bool has_heads = !failures.empty() && failures.front().reach() != failures.back().reach();
  std::optional<Reach> head;
  for (const FailureGroup& failure : failures) {
    if (!failure.is_card) continue;
    if (has_heads && head != failure.reach()) {
      content += element("h3", fmt::format("Cases {}", in_words(failure.reach())));
    }
    head = failure.reach();
    content += card_of(failure, cards++ < kMostOpen);
  }
  content += table_of(rest_of(failures));
  return {"failures", "Failures", std::to_string(failures.size()), content};
}

}  // namespace assay::page
