// Conformance by area and by contract, for one or several subjects.
#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

constexpr std::array kBad{"fail", "crash", "timeout", "internal"};

/// The link target of a count in a table.
struct Target {
  std::string anchor;
  std::string failure;  ///< the anchor of the first failure
};

std::vector<Cell> tally_cells(const Tally& tally, const Target& target) {
  const auto linked = [&target](std::size_t count) {
    return link_to(target.anchor, std::to_string(count));
  };
  const auto failing = [&target](std::size_t count) {
    return link_to(target.failure, std::to_string(count));
  };
  std::vector<Cell> cells{{tally_bar(tally), {}},
                          count_or_blank(tally.all, linked(tally.all)),
                          count_or_blank(tally.of("pass"), linked(tally.of("pass")))};
  for (const char* outcome : kBad)
    cells.push_back(count_or_blank(tally.of(outcome), failing(tally.of(outcome))));
  const std::size_t lacking = tally.of("unsupported") - tally.excused;
  cells.push_back(count_or_blank(tally.of("flaky"), failing(tally.of("flaky"))));
  cells.push_back(count_or_blank(lacking, failing(lacking)));
  cells.push_back(
      count_or_blank(tally.of("waived"), link_to("waivers", std::to_string(tally.of("waived")))));
  cells.push_back(
      count_or_blank(tally.excused, link_to("unsupported", std::to_string(tally.excused))));
  return cells;
}

Table tally_table(const std::string& caption, const std::string& first) {
  return {caption,
          {first, "Outcomes", "Cases", "Pass", "Fail", "Crash", "Timeout", "Internal", "Flaky",
           "Unsupported, unannounced", "Waived", "Unsupported"},
          {},
          true};
}

void add_row(Table& table, const Markup& name, const Tally& tally, const Target& target) {
  TableRow row;
  row.cells.push_back({name, {}});
  for (Cell& cell : tally_cells(tally, target)) row.cells.push_back(std::move(cell));
  table.rows.push_back(std::move(row));
}

Markup areas_of(const PageData& page_data, const SubjectRun& run) {
  Table table = tally_table(fmt::format("{} by area", run.label), "Area");
  for (const auto& [area, tally] : run.areas) {
    const std::string anchor = anchor_of_area(area);
    add_row(table, link_to(anchor, area), tally,
            {anchor, page_data.first_failures.anchor(run, area)});
  }
  table.drop_empty_columns();
  return to_markup(table);
}

Cell share_cell(const Tally& tally, const std::string& failure) {
  if (tally.all == 0) return {};
  if (tally.spoiled == 0)
    return number(static_cast<double>(tally.all), fmt::format("✓ {}", tally.all));
  const std::string words = fmt::format("✗ {} of {}", tally.spoiled, tally.all);
  return number(static_cast<double>(tally.spoiled), link_to(failure, words, "bad"));
}

TableRow contract_row(const PageData& page_data, const SubjectRun& run, const std::string& area) {
  TableRow row;
  row.cells.push_back(
      {area.empty() ? Markup("all areas") : link_to(anchor_of_area(area), area), {}});
  for (const auto& [contract, whole] : run.contracts) {
    const auto found = run.by_both.find({area, contract});
    const Tally part = found == run.by_both.end() ? Tally{} : found->second;
    row.cells.push_back(share_cell(area.empty() ? whole : part,
                                   page_data.first_failures.anchor(run, area, contract)));
  }
  return row;
}

Markup contracts_of(const PageData& page_data, const SubjectRun& run) {
  if (run.contracts.size() < 2) return {};
  Table table{fmt::format("{} by contract: release, device rules, deviations", run.label),
              {"Area"},
              {},
              false};
  for (const auto& [contract, tally] : run.contracts) table.columns.push_back(contract);
  table.rows.push_back(contract_row(page_data, run, ""));
  for (const auto& [area, tally] : run.areas)
    table.rows.push_back(contract_row(page_data, run, area));
  return to_markup(table);
}

Markup under_which(const SubjectRun& run) {
  const report::SubjectRecord& subject = *run.subject;
  std::string text = fmt::format("{} {}", subject.name, subject.version);
  if (!subject.devices.empty()) text += " on " + subject.devices.front();
  for (std::size_t i = 1; i < subject.devices.size(); ++i) text += ", " + subject.devices[i];
  if (subject.contracts.size() == 1) text += "; contract " + subject.contracts.front();
  if (subject.not_applicable > 0) {
    text += fmt::format("; {} for other contracts only", counted(subject.not_applicable, "case"));
  }
  return element("p", {{"class", "under"}}, text);
}

Cell matrix_cell(const PageData& page_data, const SubjectRun& run, const std::string& area) {
  const auto found = run.areas.find(area);
  if (found == run.areas.end()) return {};
  const Tally& tally = found->second;
  const std::size_t passed = tally.of("pass");
  const auto share = static_cast<double>(passed) / static_cast<double>(tally.all);
  if (tally.spoiled > 0) {
    const std::string words = fmt::format("✗ {} of {}", tally.spoiled, tally.all);
    return number(share, link_to(page_data.first_failures.anchor(run, area), words, "bad"));
  }
  if (passed == tally.all)
    return number(share, link_to(anchor_of_area(area), fmt::format("✓ {}", passed)));
  return number(share, link_to(anchor_of_area(area), fmt::format("– {} of {}", passed, tally.all)));
}

std::set<std::string> areas_in(const PageData& page_data) {
  std::set<std::string> areas;
  for (const SubjectRun& run : page_data.runs) {
    for (const auto& [area, tally] : run.areas) areas.insert(area);
  }
  return areas;
}

constexpr const char* kMatrixCaption = "✓ all pass, – all others are excused, ✗ number of failures";

/// One column per subject.
Table wide_matrix(const PageData& page_data) {
  Table table{kMatrixCaption, {"Area"}, {}, true};
  for (const SubjectRun& run : page_data.runs) table.columns.push_back(run.label);
  for (const std::string& area : areas_in(page_data)) {
    TableRow row{{{link_to(anchor_of_area(area), area), {}}}, ""};
    for (const SubjectRun& run : page_data.runs)
      row.cells.push_back(matrix_cell(page_data, run, area));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// One row per subject, used for many subjects.
Table long_matrix(const PageData& page_data) {
  const std::set<std::string> areas = areas_in(page_data);
  Table table{kMatrixCaption, {"Subject"}, {}, true};
  for (const std::string& area : areas)
    table.columns.push_back(link_to(anchor_of_area(area), area));
  for (const SubjectRun* run : worst_first(page_data.runs)) {
    TableRow row{{{Markup(run->label), {}}}, ""};
    for (const std::string& area : areas) row.cells.push_back(matrix_cell(page_data, *run, area));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What PyTorch does wrong, as cases saw it; once for each subject.
Markup mistakes_of(const PageData& page_data) {
  Table table{"Mistakes of PyTorch that the subjects have, and what they can do to a training",
              {"Clause", "Mistake", "Case", "Subject"},
              {},
              true};
  std::set<std::pair<std::size_t, std::string>> told;
  for (const SubjectRun& run : page_data.runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      if (test.mistake.empty() || !told.insert({run.number, test.mistake}).second) continue;
      const std::string clause = test.clauses.empty() ? "" : test.clauses.front();
      table.rows.push_back({{{link_to(anchor_of_clause(clause), clause), {}},
                             {cut(test.mistake, 700), {}},
                             {link_to(anchor_of_case(test.id), test.id), {}},
                             {run.label, {}}},
                            ""});
    }
  }
  return table.rows.empty() ? Markup() : to_markup_with_fold(table, kMostOpenRows, "mistake");
}

Markup matrix(const PageData& page_data) {
  constexpr std::size_t kMostColumns = 8;
  const Table table =
      page_data.runs.size() <= kMostColumns ? wide_matrix(page_data) : long_matrix(page_data);
  return table.rows.empty() ? Markup() : to_markup_with_fold(table, kMostOpenRows, "subject");
}

}  // namespace

Section conformance_section(const PageData& page_data) {
  constexpr std::size_t kMostOpen = 1;
  Markup content;
  if (page_data.runs.size() > 1) content += matrix(page_data);
  Markup each;
  for (const SubjectRun& run : page_data.runs) {
    if (run.areas.empty()) continue;
    const Markup tables =
        under_which(run) + areas_of(page_data, run) + contracts_of(page_data, run);
    each += foldable(element("b", run.label), tables, anchor_of_run(run),
                     page_data.runs.size() <= kMostOpen);
  }
  content +=
      page_data.runs.size() <= kMostOpenRows
          ? each
          : foldable(fmt::format("Each of {} subjects by itself", page_data.runs.size()), each);
  content += mistakes_of(page_data);
  return {"conformance", "Conformance", "", content};
}

}  // namespace assay::page
