// Compares records, or the subjects of one, with a verdict for each pair.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/compare/compare.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/page/data/cost.hpp"
#include "harness/page/sections/comparison_parts.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Verdict;

/// `assay compare --json` writes all rows.
constexpr std::size_t kMostRows = 1000;
/// With more columns, cells have no drawings.
constexpr std::size_t kMostDrawn = 9;

/// Subjects of one record need not support the same cases.
bool is_of_subjects(const Comparison& comparison) {
  return comparison.columns.front().key == "subject";
}

/// True if this verdict is shown for the comparison.
bool counts_in(const Comparison& comparison, Verdict verdict) {
  if (verdict == Verdict::kNoNumber) return false;
  return !is_of_subjects(comparison) || compare::is_compared(verdict);
}

/// A number that links to its measurement.
Markup number_link(const PageData& page_data, const compare::Column& column,
                   const compare::Row& row, const compare::Number& number) {
  // The reason is in the table of missing numbers.
  if (!number.center) return element("span", {{"class", "quiet"}}, "–");
  const std::string figures = row.exact ? count_text(*number.center) : figure(*number.center);
  const std::string text = fmt::format("{}\u00a0{}", figures, row.unit);
  const auto bench = std::ranges::find(page_data.benches, column.record, &Bench::record);
  if (bench == page_data.benches.end()) return text;
  return link_to_measurement(*bench, *number.source, text);
}

Markup verdict_of(const Cell& cell) {
  Markup content = verdict_words(cell.verdict);
  if (!cell.reason.empty()) content += ": " + cut(cell.reason, 200);
  if (cell.more)
    content += element(
        "small", fmt::format("; about {} more process{}", *cell.more, *cell.more == 1 ? "" : "es"));
  return content;
}

/// With several candidates: one cell per candidate, without a drawing if there are many.
page::Cell candidate_cell(const Markup& number, const Cell& cell, const Markup& drawing) {
  Markup content = verdict_of(cell) + " " + number;
  if (!cell.ratio) return {content, {}};
  if (!drawing.empty()) content += element("br", {}) + drawing;
  return {content + element("br", {}) + element("small", ratio_words(cell)), *cell.ratio};
}

/// With a single candidate: one cell for each of its parts.
void add_candidate(TableRow& line, const Markup& number, const Cell& cell, double margin,
                   double reach) {
  line.cells.push_back({number, cell.number.center, true});
  line.cells.push_back({verdict_of(cell), {}});
  line.cells.push_back(cell.ratio ? page::number(*cell.ratio, ratio_words(cell)) : page::Cell{});
  line.cells.push_back({cell.ratio ? mark_of(cell, margin, reach) : Markup(), {}});
}

/// The value that all rows share; empty if they differ.
std::string common_to(const Comparison& comparison, std::string compare::Row::*member) {
  if (comparison.rows.empty()) return "";
  const std::string& first = comparison.rows.front().*member;
  const auto is_it = [&](const compare::Row& row) { return row.*member == first; };
  return std::ranges::all_of(comparison.rows, is_it) ? first : "";
}

std::string the_quantity_of(const Comparison& comparison) {
  return common_to(comparison, &compare::Row::quantity);
}

/// What the table compares, such as `All quantities of cuda`, so that no column repeats it.
std::string what_is_compared(const Comparison& comparison) {
  const std::string quantity = the_quantity_of(comparison);
  const std::string subject = common_to(comparison, &compare::Row::subject);
  return (quantity.empty() ? "All quantities" : quantity) +
         (subject.empty() ? "" : " of " + subject);
}

const char* marks_text(double reach) {
  return reach > 10 ? ", with lines at powers of ten; the band is the margin"
                    : "; the band is the margin";
}

/// The number of candidates in the table; the verdicts on the others are only counted.
std::size_t candidates_shown(const Comparison& comparison) {
  constexpr std::size_t kMost = 30;
  return std::min(comparison.columns.size() - 1, kMost);
}

Table empty_rows_table(const Comparison& comparison, double reach) {
  const std::string drawn =
      comparison.columns.size() > kMostDrawn
          ? ""
          : fmt::format(", drawn from 1/{:g} to {:g}{}", reach, reach, marks_text(reach));
  Table table{fmt::format("{}: ratios to {}{}", what_is_compared(comparison),
                          comparison.columns.front().label, drawn),
              {"Case", "Quantity", "Subject", comparison.columns.front().label},
              {},
              true};
  for (std::size_t i = 1; i <= candidates_shown(comparison); ++i)
    table.columns.emplace_back(comparison.columns[i].label);
  if (comparison.columns.size() == 2) {
    for (const char* column : {"Verdict", "Ratio", "Ratio and margin"})
      table.columns.emplace_back(column);
  }
  return table;
}

bool has_a_verdict(const Comparison& comparison, const compare::Row& row) {
  return std::ranges::any_of(row.cells,
                             [&](const Cell& cell) { return counts_in(comparison, cell.verdict); });
}

/// Empty if the caption contains it.
std::string quantity_text(const Comparison& comparison, const compare::Row& row) {
  if (row.higher_is_better) return row.quantity + ", more is better";
  return the_quantity_of(comparison).empty() ? row.quantity : "";
}

Markup rows_table(const PageData& page_data, const Comparison& comparison) {
  const double reach = reach_of(comparison);
  const bool has_one = comparison.columns.size() == 2;
  const bool is_of_one = !common_to(comparison, &compare::Row::subject).empty();
  Table table = empty_rows_table(comparison, reach);
  for (const compare::Row& row : comparison.rows) {
    if (!has_a_verdict(comparison, row)) continue;
    TableRow line;
    line.cells = {{breakable(row.name), {}},
                  {quantity_text(comparison, row), {}},
                  {is_of_one ? "" : row.subject, {}},
                  {number_link(page_data, comparison.columns.front(), row, row.baseline),
                   row.baseline.center, true}};
    for (std::size_t i = 0; i < candidates_shown(comparison); ++i) {
      const Cell& cell = row.cells[i];
      const Markup number = number_link(page_data, comparison.columns[i + 1], row, cell.number);
      if (!counts_in(comparison, cell.verdict) && !cell.number.failed) {
        // A measurement that only one subject has is not an error.
        line.cells.push_back({number, cell.number.center, has_one});
        if (has_one) line.cells.resize(line.cells.size() + 3);
        continue;
      }
      if (has_one) {
        add_candidate(line, number, cell, row.margin, reach);
      } else {
        const bool is_drawn = comparison.columns.size() <= kMostDrawn && cell.ratio;
        line.cells.push_back(
            candidate_cell(number, cell, is_drawn ? mark_of(cell, row.margin, reach) : Markup()));
      }
    }
    table.rows.push_back(std::move(line));
  }
  table.drop_empty_columns();
  const std::size_t left_out = comparison.columns.size() - 1 - candidates_shown(comparison);
  const std::string rest =
      fmt::format("{} more: the table of verdicts includes them.", counted(left_out, "candidate"));
  return to_markup(table, kMostRows, "case") + (left_out > 0 ? element("p", rest) : Markup());
}

/// The rows of one scope, or of all.
using Rows = std::vector<const compare::Row*>;

Rows rows_of(const Comparison& comparison, std::optional<compare::Scope> scope = {}) {
  Rows rows;
  for (const compare::Row& row : comparison.rows) {
    if (!scope || row.scope == *scope) rows.push_back(&row);
  }
  return rows;
}

std::size_t count_in(const Rows& rows, std::size_t column, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows, [&](const compare::Row* row) { return row->cells[column].verdict == verdict; }));
}

Markup counts_table(const Comparison& comparison) {
  Table table{fmt::format("Verdicts against {}", comparison.columns.front().label),
              {"Candidate", "Speaks of"},
              {},
              false};
  std::vector<Verdict> verdicts;
  for (std::size_t v = 0; v < compare::kVerdicts; ++v) {
    if (counts_in(comparison, static_cast<Verdict>(v))) verdicts.push_back(static_cast<Verdict>(v));
  }
  for (const Verdict verdict : verdicts) table.columns.emplace_back(compare::name_of(verdict));
  const auto add = [&](std::size_t column, const Markup& scope, const Rows& rows) {
    TableRow row{{{Markup(comparison.columns[column].label), {}}, {scope, {}}}, ""};
    for (const Verdict verdict : verdicts) {
      const std::size_t count = count_in(rows, column - 1, verdict);
      row.cells.push_back(count_or_blank(count, std::to_string(count)));
    }
    table.rows.push_back(std::move(row));
  };
  const std::vector<compare::Scope> scopes = compare::scopes_apart(comparison);
  for (std::size_t i = 1; i < comparison.columns.size(); ++i) {
    if (scopes.empty()) add(i, {}, rows_of(comparison));
    for (const compare::Scope scope : scopes)
      add(i, std::string(compare::name_of(scope)), rows_of(comparison, scope));
  }
  table.drop_empty_columns();
  return to_markup_with_fold(table, kMostOpenRows, "candidate");
}

Markup verdicts_in(const Comparison& comparison, const Rows& rows, std::size_t column) {
  Markup text;
  const auto add = [&](std::size_t verdict) {
    const std::size_t count = count_in(rows, column - 1, static_cast<Verdict>(verdict));
    if (count == 0) return;
    const VerdictStyle style = style_of(static_cast<Verdict>(verdict));
    text += (text.empty() ? Markup() : Markup(", ")) +
            element("span", {{"class", style.kind}},
                    fmt::format("{} {} {}", style.symbol, count,
                                compare::name_of(static_cast<Verdict>(verdict))));
  };
  std::size_t without = 0;
  for (std::size_t v = 0; v < compare::kVerdicts; ++v) {
    if (counts_in(comparison, static_cast<Verdict>(v))) {
      add(v);
    } else {
      without += count_in(rows, column - 1, static_cast<Verdict>(v));
    }
  }
  const std::size_t with = rows.size() - without;
  return text.empty() ? Markup("nothing to compare") : text + fmt::format(", of {}", with);
}

}  // namespace

Markup verdicts_against(const Comparison& comparison, std::size_t column) {
  const std::vector<compare::Scope> scopes = compare::scopes_apart(comparison);
  if (scopes.empty()) return verdicts_in(comparison, rows_of(comparison), column);
  Markup lines;
  for (const compare::Scope scope : scopes) {
    lines += element("br", {}) + element("b", compare::name_of(scope)) + ": " +
             verdicts_in(comparison, rows_of(comparison, scope), column);
  }
  return lines;
}

Section comparison_section(const PageData& page_data) {
  Markup content;
  for (const Compared& compared : page_data.compared) {
    if (page_data.compared.size() > 1) content += element("h3", compared.name);
    if (!compared.found) {
      content += element("p", {{"class", "warning"}}, "! Not compared: " + compared.refusal);
      continue;
    }
    content += notes_of(page_data, *compared.found);
    if (compared.found->columns.size() > 2) content += counts_table(*compared.found);
    content += means_table(*compared.found) + rows_table(page_data, *compared.found) +
               normalised(*compared.found);
  }
  return {"comparison", "Comparison", "", content};
}

}  // namespace assay::page
