// Comparison: records beside each other, or the subjects of one, with a verdict on each pair.
#include <fmt/format.h>

#include <algorithm>

#include "harness/compare/compare.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/page/material/cost.hpp"
#include "harness/page/sections/ratios.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Verdict;

/// More rows are in the record that `assay compare --json` writes.
constexpr std::size_t kMostRows = 1000;

/// The measurement that a number of the comparison came from leads to its row.
Markup number_link(const Material& material, const compare::Column& column, const compare::Row& row,
                   const compare::Number& number) {
  // Why stands in the table of what has no number.
  if (!number.center) return element("span", {{"class", "quiet"}}, "–");
  const std::string figures = row.exact ? count_text(*number.center) : figure(*number.center);
  const std::string text = fmt::format("{}\u00a0{}", figures, row.unit);
  const auto bench = std::ranges::find(material.benches, column.record, &Bench::record);
  if (bench == material.benches.end()) return text;
  return link_to(anchor_of_measurement(*bench, *number.source), text);
}

Markup verdict_of(const Cell& cell) {
  Markup content = verdict_words(cell.verdict);
  if (!cell.reason.empty()) content += ": " + cut(cell.reason, 200);
  if (cell.more)
    content += element("small", fmt::format("; about {} more processes would decide", *cell.more));
  return content;
}

/// All of a candidate in one cell, where there are many.
page::Cell candidate_cell(const Markup& number, const Cell& cell, double margin, double reach) {
  const Markup content = verdict_of(cell) + " " + number;
  if (!cell.ratio) return {content, {}};
  return {content + element("br", {}) + mark_of(cell, margin, reach) + element("br", {}) +
              element("small", ratio_words(cell)),
          *cell.ratio};
}

/// Each of its parts in a cell of its own, where there is one candidate.
void add_candidate(TableRow& line, const Markup& number, const Cell& cell, double margin,
                   double reach) {
  line.cells.push_back({number, cell.number.center, true});
  line.cells.push_back({verdict_of(cell), {}});
  line.cells.push_back(cell.ratio ? page::number(*cell.ratio, ratio_words(cell)) : page::Cell{});
  line.cells.push_back({cell.ratio ? mark_of(cell, margin, reach) : Markup(), {}});
}

/// What all rows are about; empty where they differ.
std::string the_quantity_of(const Comparison& comparison) {
  if (comparison.rows.empty()) return "";
  const std::string& first = comparison.rows.front().quantity;
  const auto is_it = [&first](const compare::Row& row) { return row.quantity == first; };
  return std::ranges::all_of(comparison.rows, is_it) ? first : "";
}

const char* marks_text(double reach) {
  return reach > 10 ? ", with lines at powers of ten; the band is the margin"
                    : "; the band is the margin";
}

Table empty_rows_table(const Comparison& comparison, double reach) {
  const std::string quantity = the_quantity_of(comparison);
  Table table{fmt::format("{}: ratios to {}, drawn from 1/{:g} to {:g}{}",
                          quantity.empty() ? "All quantities" : quantity,
                          comparison.columns.front().label, reach, reach, marks_text(reach)),
              {"Case", "Quantity", "Subject", comparison.columns.front().label},
              {},
              true};
  for (std::size_t i = 1; i < comparison.columns.size(); ++i)
    table.columns.emplace_back(comparison.columns[i].label);
  if (comparison.columns.size() == 2) {
    for (const char* column : {"Verdict", "Ratio", "Ratio and margin"})
      table.columns.emplace_back(column);
  }
  return table;
}

/// Of the subjects of one record, none is there to have what another has.
bool is_of_subjects(const Comparison& comparison) {
  return comparison.columns.front().key == "subject";
}

/// Whether the verdict says something of the comparison.
bool counts_in(const Comparison& comparison, Verdict verdict) {
  if (verdict == Verdict::kNoNumber) return false;
  return !is_of_subjects(comparison) || compare::is_compared(verdict);
}

bool has_a_verdict(const Comparison& comparison, const compare::Row& row) {
  return std::ranges::any_of(row.cells,
                             [&](const Cell& cell) { return counts_in(comparison, cell.verdict); });
}

/// Nothing where the caption says it.
std::string quantity_text(const Comparison& comparison, const compare::Row& row) {
  if (row.higher_is_better) return row.quantity + ", more is better";
  return the_quantity_of(comparison).empty() ? row.quantity : "";
}

Markup rows_table(const Material& material, const Comparison& comparison) {
  const double reach = reach_of(comparison);
  const bool has_one = comparison.columns.size() == 2;
  Table table = empty_rows_table(comparison, reach);
  for (const compare::Row& row : comparison.rows) {
    if (!has_a_verdict(comparison, row)) continue;
    TableRow line;
    line.cells = {{breakable(row.name), {}},
                  {quantity_text(comparison, row), {}},
                  {row.subject, {}},
                  {number_link(material, comparison.columns.front(), row, row.baseline),
                   row.baseline.center, true}};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& cell = row.cells[i];
      const Markup number = number_link(material, comparison.columns[i + 1], row, cell.number);
      if (has_one) {
        add_candidate(line, number, cell, row.margin, reach);
      } else {
        line.cells.push_back(candidate_cell(number, cell, row.margin, reach));
      }
    }
    table.rows.push_back(std::move(line));
  }
  table.drop_empty_columns();
  return to_markup(table, kMostRows, "case");
}

std::size_t count_in(const Comparison& comparison, std::size_t column, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      comparison.rows,
      [&](const compare::Row& row) { return row.cells[column].verdict == verdict; }));
}

Markup counts_table(const Comparison& comparison) {
  Table table{fmt::format("Verdicts against {}", comparison.columns.front().label),
              {"Candidate"},
              {},
              false};
  std::vector<Verdict> verdicts;
  for (std::size_t v = 0; v < compare::kVerdicts; ++v) {
    if (counts_in(comparison, static_cast<Verdict>(v))) verdicts.push_back(static_cast<Verdict>(v));
  }
  for (const Verdict verdict : verdicts) table.columns.emplace_back(compare::name_of(verdict));
  for (std::size_t i = 1; i < comparison.columns.size(); ++i) {
    TableRow row;
    row.cells.push_back({Markup(comparison.columns[i].label), {}});
    for (const Verdict verdict : verdicts) {
      const std::size_t count = count_in(comparison, i - 1, verdict);
      row.cells.push_back(count_or_blank(count, std::to_string(count)));
    }
    table.rows.push_back(std::move(row));
  }
  table.drop_empty_columns();
  return to_markup(table);
}

/// Warnings of the records stand under the costs already.
bool is_warning_of(const Material& material, const std::string& note) {
  return std::ranges::any_of(material.benches, [&](const Bench& bench) {
    return std::ranges::any_of(bench.record->warnings, [&](const report::BenchWarning& warning) {
      return note.ends_with(": " + warning.text);
    });
  });
}

Markup notes_of(const Material& material, const Comparison& comparison) {
  Markup content;
  for (const std::string& label : comparison.labels) {
    if (!is_warning_of(material, label))
      content += element("p", {{"class", "warning"}}, "! " + label);
  }
  std::string text;
  if (comparison.noise_floor) {
    text = fmt::format("Noise floor {}: so much did identical programs differ. ",
                       compare::percent(*comparison.noise_floor));
  } else if (comparison.tests > 0) {
    text =
        "Noise floor: not measured (assay bench --aa). Without it, small differences mean "
        "nothing. ";
  }
  return content + element("p", {{"class", "under"}}, text + rules_text(comparison) + ".");
}

}  // namespace

std::string rules_text(const Comparison& comparison) {
  if (comparison.tests == 0) return "Counts, compared exactly";
  const std::string which =
      comparison.tests == 1 ? "the test" : fmt::format("any of the {} tests", comparison.tests);
  return fmt::format(
      "Margin {}: less counts as the same. The chance that {} finds a difference where there is "
      "none is at most {:g}\u00a0%",
      compare::percent(comparison.margin), which, 100 * comparison.alpha);
}

Markup verdicts_against(const Comparison& comparison, std::size_t column) {
  Markup text;
  const auto add = [&](std::size_t verdict) {
    const std::size_t count = count_in(comparison, column - 1, static_cast<Verdict>(verdict));
    if (count == 0) return;
    const Look look = look_of(static_cast<Verdict>(verdict));
    text += (text.empty() ? Markup() : Markup(", ")) +
            element("span", {{"class", look.kind}},
                    fmt::format("{} {} {}", look.symbol, count,
                                compare::name_of(static_cast<Verdict>(verdict))));
  };
  std::size_t without = 0;
  for (std::size_t v = 0; v < compare::kVerdicts; ++v) {
    if (counts_in(comparison, static_cast<Verdict>(v))) {
      add(v);
    } else {
      without += count_in(comparison, column - 1, static_cast<Verdict>(v));
    }
  }
  const std::size_t with = comparison.rows.size() - without;
  return text.empty() ? Markup("nothing to compare") : text + fmt::format(", of {}", with);
}

Section comparison_section(const Material& material) {
  Markup content;
  for (const Compared& compared : material.compared) {
    if (material.compared.size() > 1) content += element("h3", compared.name);
    if (!compared.found) {
      content += element("p", {{"class", "warning"}}, "! Not compared: " + compared.refusal);
      continue;
    }
    content += notes_of(material, *compared.found);
    if (compared.found->columns.size() > 2) content += counts_table(*compared.found);
    content += means_table(*compared.found) + rows_table(material, *compared.found) +
               normalised(*compared.found);
  }
  return {"comparison", "Comparison", "", content};
}

}  // namespace assay::page
