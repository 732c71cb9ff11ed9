// Every case: its outcome under each contract, its clauses, its source position; and the texts of
// the clauses that the cases witness.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "harness/page/data/clause_text.hpp"
#include "harness/page/sections/sections.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {
namespace {

/// One column per contract; if too many, one per subject; if still too many, a single one.
constexpr std::size_t kMostColumns = 16;

struct Column {
  const SubjectRun* run;
  std::string contract;  ///< empty: all of them
  std::string head;
};

struct Result {
  const report::CaseRecord* worst = nullptr;
  std::size_t all = 0, spoiled = 0;
};

struct CaseRow {
  const report::CaseRecord* test;
  std::vector<Result> results;  ///< one per column
};

std::vector<Column> columns_of(const std::vector<SubjectRun>& runs) {
  std::vector<Column> columns;
  for (const SubjectRun& run : runs) {
    const std::string prefix = runs.size() > 1 ? run.label + " " : "";
    for (const auto& [contract, tally] : run.contracts)
      columns.push_back({&run, contract, prefix + contract});
  }
  if (columns.size() <= kMostColumns) return columns;
  columns.clear();
  for (const SubjectRun& run : runs) columns.push_back({&run, "", run.label});
  return columns;
}

using Rows = std::map<std::string, std::map<std::string, CaseRow>>;

void add_results(Rows& areas, const std::vector<Column>& columns, std::size_t place) {
  const Column& column = columns[place];
  for (const report::CaseRecord& test : column.run->subject->cases) {
    if (!column.contract.empty() && test.contract != column.contract) continue;
    CaseRow& row =
        areas[std::string(area_of(test))].try_emplace(test.id, CaseRow{&test, {}}).first->second;
    row.results.resize(columns.size());
    Result& result = row.results[place];
    const bool spoils = report::spoils(test);
    ++result.all;
    if (spoils) ++result.spoiled;
    if (result.worst == nullptr || (spoils && !report::spoils(*result.worst))) result.worst = &test;
  }
}

/// Short, and shortest for the most frequent outcome, because there are tens of thousands.
Cell result_cell(const Result& result) {
  if (result.worst == nullptr) return {};
  if (result.worst->outcome == "pass") return {Markup("✓"), {}};
  Markup content = outcome_symbol(result.worst->outcome, report::spoils(*result.worst));
  if (result.spoiled > 0 && result.all > 1)
    content += fmt::format(" {} of {}", result.spoiled, result.all);
  return {content, {}};
}

/// `✓ 27; ✗ on gpu1, gpu2; – on gpu3`: subjects by outcome; those that pass are only counted.
Cell summary_cell(const std::vector<Result>& results, const std::vector<Column>& columns) {
  std::map<std::string_view, std::vector<std::string>> others;
  std::size_t passed = 0, all = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const report::CaseRecord* worst = results[i].worst;
    if (worst == nullptr) continue;
    ++all;
    const bool spoils = report::spoils(*worst);
    if (worst->outcome == "pass" && !spoils) {
      ++passed;
    } else {
      others[spoils ? "fail" : std::string_view(worst->outcome)].push_back(columns[i].head);
    }
  }
  Markup content = passed > 0 ? Markup(fmt::format("✓ {}", passed)) : Markup();
  for (const auto& [outcome, names] : others) {
    if (!content.empty()) content += "; ";
    content += outcome_symbol(outcome, outcome == "fail") +
               (names.size() == all ? fmt::format(" all {}", all)
                                    : fmt::format(" on {}", fmt::join(names, ", ")));
  }
  return {content, {}};
}

Markup clause_links(const report::CaseRecord& test) {
  Markup links;
  for (const std::string& id : test.clauses) {
    if (!links.empty()) links += " ";
    links += link_to(anchor_of_clause(id), id);
  }
  return links;
}

Markup area_list(const std::string& area, const std::map<std::string, CaseRow>& rows,
                 const std::vector<Column>& columns) {
  Table table{fmt::format("Cases of {}", area), {"Case", "Clauses"}, {}, true};
  const bool is_summary = columns.size() > kMostColumns;
  if (is_summary) table.columns.emplace_back("Result");
  for (const Column& column : columns) {
    if (!is_summary) table.columns.push_back(column.head);
  }
  table.columns.emplace_back("Written in");
  bool spoiled = false;
  for (const auto& [id, row] : rows) {
    TableRow line{{{breakable(id), {}}, {clause_links(*row.test), {}}}, anchor_of_case(id)};
    if (is_summary) line.cells.push_back(summary_cell(row.results, columns));
    for (const Result& result : row.results) {
      if (!is_summary) line.cells.push_back(result_cell(result));
      spoiled = spoiled || result.spoiled > 0;
    }
    line.cells.push_back({breakable(fmt::format("{}:{}", row.test->file, row.test->line)), {}});
    table.rows.push_back(std::move(line));
  }
  const Markup head =
      element("b", area) + " " + counted(rows.size(), "case") +
      (spoiled ? Markup(", ") + element("span", {{"class", "bad"}}, "✗ with failures") : Markup());
  return foldable(head, to_markup(table), anchor_of_area(area), rows.size() <= 60);
}

}  // namespace

Section cases_section(const PageData& page_data) {
  const std::vector<Column> columns = columns_of(page_data.runs);
  Rows areas;
  for (std::size_t i = 0; i < columns.size(); ++i) add_results(areas, columns, i);
  Markup content;
  std::size_t cases = 0;
  for (const auto& [area, rows] : areas) {
    content += area_list(area, rows, columns);
    cases += rows.size();
  }
  if (cases > 0) {
    content = element("p",
                      "✓ pass, ✗ failure, crash, timeout or unannounced unsupported, ◇ waived, "
                      "– unsupported, ≈ flaky; an empty cell: not for that contract.") +
              content;
  }
  return {"cases", "Cases", std::to_string(cases), content};
}

// The clauses.

namespace {

struct Witnesses {
  std::set<std::string> cases;
  std::size_t spoiled = 0;
};

using Witnessed = std::map<std::string, Witnesses, std::less<>>;

Witnessed witnessed_in(const PageData& page_data) {
  Witnessed clauses;
  for (const SubjectRun& run : page_data.runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      for (const std::string& id : test.clauses) {
        clauses[id].cases.insert(test.id);
        if (report::spoils(test)) ++clauses[id].spoiled;
      }
    }
  }
  return clauses;
}

Markup entry(const std::string& id, const Clause* clause, const Witnesses& witnesses) {
  Markup head = element("b", id);
  if (clause != nullptr) head += Markup(" ") + inline_markdown(clause->title);
  if (witnesses.spoiled > 0) {
    head += Markup(" ") +
            element("span", {{"class", "bad"}}, "✗ " + counted(witnesses.spoiled, "failure"));
  }
  Markup cases;
  for (const std::string& name : witnesses.cases)
    cases += element("li", link_to(anchor_of_case(name), name));
  const Markup text =
      clause == nullptr ? element("p", "This program lacks its text.") : clause_body(*clause);
  const Markup list = element("p", {{"class", "under"}}, "Witnessed by") +
                      element("ul", {{"class", "cases"}}, cases);
  return foldable(head, text + list, anchor_of_clause(id));
}

/// The clauses with the same prefix: `AMP` for `AMP-101`.
struct Chapter {
  std::string name;
  Markup entries;
  std::size_t clauses = 0, broken = 0;
};

using Chapters = std::vector<Chapter>;

void add(Chapters& chapters, const std::string& id, const Clause* clause,
         const Witnesses& witnesses) {
  const std::string name = id.substr(0, id.find('-'));
  auto chapter = std::ranges::find(chapters, name, &Chapter::name);
  if (chapter == chapters.end()) chapter = chapters.insert(chapter, {name, {}});
  chapter->entries += entry(id, clause, witnesses);
  ++chapter->clauses;
  if (witnesses.spoiled > 0) ++chapter->broken;
}

Markup markup_of(const Chapter& chapter, bool is_open) {
  Markup head = element("b", chapter.name) + " " + counted(chapter.clauses, "clause");
  if (chapter.broken > 0)
    head += Markup(", ") +
            element("span", {{"class", "bad"}}, fmt::format("✗ {} broken", chapter.broken));
  return foldable(head, chapter.entries, "", is_open);
}

}  // namespace

Section clauses_section(const PageData& page_data) {
  const Witnessed clauses = witnessed_in(page_data);
  Chapters chapters;
  // In the order of the specification, followed by unknown clauses.
  for (const Clause& clause : all_clauses()) {
    const auto found = clauses.find(clause.id);
    if (found != clauses.end()) add(chapters, clause.id, &clause, found->second);
  }
  for (const auto& [id, witnesses] : clauses) {
    if (find_clause(id) == nullptr) add(chapters, id, nullptr, witnesses);
  }
  Markup content;
  for (const Chapter& chapter : chapters) content += markup_of(chapter, chapters.size() == 1);
  return {"clauses", "Clauses", std::to_string(clauses.size()), content};
}

}  // namespace assay::page
