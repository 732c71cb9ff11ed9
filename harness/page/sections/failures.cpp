// A card for each failure: the clause, what was asked, what came back, how to repeat it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/page/material/clause_text.hpp"
#include "harness/page/sections/sections.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {
namespace {

/// More would be a list that nobody reads; the rest are rows of a table.
constexpr std::size_t kMostCards = 100;
/// The first are open.
constexpr std::size_t kMostOpen = 8;
constexpr std::size_t kMostExchanges = 12;
/// A longer list is folded.
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
      comparison_of(test) + last_exchange(test) + clauses_of(test) +
      labelled("Run it again", test.replay.empty() ? Markup() : code_line(test.replay));
  return element("dl", rows) + program_of(test);
}

/// `all 12 contracts`, or their names.
std::string contracts_text(const FailureGroup& failure) {
  const std::size_t all = failure.run->contracts.size();
  if (all > 1 && failure.contracts.size() == all) return fmt::format("all {} contracts", all);
  return fmt::format("{}", fmt::join(failure.contracts, ", "));
}

Markup card_of(const FailureGroup& failure, bool is_open) {
  const report::CaseRecord& test = *failure.test;
  const Markup head = outcome_mark(test.outcome, true) + " " + element("b", test.id);
  const Markup under = Markup("on ") + failure.run->label + " under " + contracts_text(failure) +
                       " · " + link_to(anchor_of_case(test.id), "in the list of cases");
  return element(
      "article", {{"class", "card"}, {"id", failure.anchor}},
      foldable(head, element("p", {{"class", "under"}}, under) + rows_of(test), "", is_open));
}

struct Broken {
  std::set<std::string> subjects, cases;
  std::string anchor;  ///< of the first failure
};

/// Which rules were broken, and by whom.
Markup broken_clauses(const std::vector<FailureGroup>& failures) {
  std::map<std::string, Broken, ByVersion> clauses;
  for (const FailureGroup& failure : failures) {
    for (const std::string& id : failure.test->clauses) {
      Broken& broken = clauses[id];
      broken.subjects.insert(failure.run->label);
      broken.cases.insert(failure.test->id);
      if (broken.anchor.empty()) broken.anchor = failure.anchor;
    }
  }
  Table table{fmt::format("{} in failed cases", counted(clauses.size(), "clause")),
              {"Clause", "Title", "Failed cases", "Subjects"},
              {},
              true};
  for (const auto& [id, broken] : clauses) {
    const Clause* clause = find_clause(id);
    table.rows.push_back({{{link_to(anchor_of_clause(id), id), {}},
                           {clause == nullptr ? Markup() : inline_markdown(clause->title), {}},
                           number(static_cast<double>(broken.cases.size()),
                                  link_to(broken.anchor, std::to_string(broken.cases.size()))),
                           {fmt::format("{}", fmt::join(broken.subjects, ", ")), {}}},
                          ""});
  }
  if (table.rows.empty()) return {};
  return foldable(element("b", "The clauses that were broken"), to_markup(table), "broken-clauses",
                  table.rows.size() <= kMostClauses);
}

Table rest_of(const std::vector<FailureGroup>& failures) {
  Table table{fmt::format("The other {}", counted(failures.size() - kMostCards, "failure")),
              {"Case", "Outcome", "Subject", "Contracts", "What"},
              {},
              true};
  for (std::size_t i = kMostCards; i < failures.size(); ++i) {
    const report::CaseRecord& test = *failures[i].test;
    table.rows.push_back({{{link_to(anchor_of_case(test.id), test.id), {}},
                           {outcome_mark(test.outcome, true), {}},
                           {failures[i].run->label, {}},
                           {contracts_text(failures[i]), {}},
                           {cut(test.sentence, 200), {}}},
                          failures[i].anchor});
  }
  return table;
}

}  // namespace

Section failures_section(const Material& material) {
  const auto& failures = material.failures;
  Markup content = broken_clauses(failures);
  for (std::size_t i = 0; i < std::min(failures.size(), kMostCards); ++i)
    content += card_of(failures[i], i < kMostOpen);
  if (failures.size() > kMostCards) content += to_markup(rest_of(failures));
  return {"failures", "Failures", std::to_string(failures.size()), content};
}

}  // namespace assay::page
