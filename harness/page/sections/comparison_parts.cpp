// Parts of a comparison: symbols, colours and scales of ratios, notes, and geometric means.
#include "harness/page/sections/comparison_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/compare/compare.hpp"
#include "harness/compare/comparison.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/page/markup/parts.hpp"
#include "harness/page/markup/svg.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {

using compare::Comparison;
using compare::Verdict;

VerdictStyle style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
    case Verdict::kFewer:
      return {"✓", "good", colour::kGood};
    case Verdict::kSlower:
    case Verdict::kMore:
      return {"✗", "bad", colour::kBad};
    case Verdict::kMissing:
    case Verdict::kRefused:
      return {"!", "bad", colour::kBad};
    case Verdict::kChanged:
      return {"±", "odd", colour::kOdd};
    case Verdict::kUndecided:
      return {"?", "odd", colour::kOdd};
    default:
      return {"=", "quiet", colour::kQuiet};
  }
}

Markup verdict_words(Verdict verdict) {
  const VerdictStyle style = style_of(verdict);
  return element("span", {{"class", style.kind}},
                 fmt::format("{} {}", style.symbol, compare::name_of(verdict)));
}

double reach_of(const Comparison& comparison) {
  constexpr double kMost = 1e6;
  double reach = 1;
  for (const compare::Row& row : comparison.rows) {
    for (const compare::Cell& cell : row.cells) {
      if (cell.ratio && *cell.ratio > 0) reach = std::max({reach, *cell.ratio, 1 / *cell.ratio});
    }
  }
  for (const double round : {1.05, 1.1, 1.2, 1.5}) {
    if (reach * 1.02 <= round) return round;
  }
  for (double power = 1; power < kMost; power *= 10) {
    for (const double factor : {2.0, 5.0, 10.0}) {
      if (reach * 1.02 <= factor * power) return factor * power;
    }
  }
  return kMost;
}

std::string ratio_words(const compare::Cell& cell) {
  std::string words = fmt::format("× {}", figure(*cell.ratio));
  const bool is_exact = cell.low == cell.high;
  if (!is_exact && cell.low && cell.high && std::isfinite(*cell.low) && std::isfinite(*cell.high)) {
    words += fmt::format(" ({} – {})", figure_like(*cell.low, *cell.ratio),
                         figure_like(*cell.high, *cell.ratio));
  }
  return words;
}

Markup mark_of(const compare::Cell& cell, double margin, double reach) {
  const double ratio = *cell.ratio;
  if (!(ratio > 0)) return {};
  const double low = std::max(cell.low.value_or(ratio), 1e-9);
  const double high = std::min(cell.high.value_or(ratio), 1e9);
  return ratio_mark({ratio, low, high, margin, reach, style_of(cell.verdict).colour},
                    {"Ratio to the baseline", ratio_words(cell)});
}

// Notes on a comparison, and its statistical error rate.

namespace {

/// Warnings of the records are already shown with the costs.
bool is_warning_of(const PageData& page_data, const std::string& note) {
  return std::ranges::any_of(page_data.benches, [&](const Bench& bench) {
    return std::ranges::any_of(bench.record->warnings, [&](const report::BenchWarning& warning) {
      return note.ends_with(": " + warning.text);
    });
  });
}

/// The file named at the beginning of a sentence; empty if there is none.
std::string file_of(const Comparison& comparison, const std::string& label) {
  for (const compare::Column& column : comparison.columns) {
    if (label.starts_with(column.file + " ")) return column.file;
  }
  return "";
}

/// Merges equal sentences about several files: `a.json, b.json: was
/// interrupted`.
std::vector<std::string> said_once(const Comparison& comparison) {
  struct NotedRecords {
    std::string words;
    std::set<std::string> files;
  };
  std::vector<NotedRecords> all;
  for (const std::string& label : comparison.labels) {
    const std::string file = file_of(comparison, label);
    const std::string words = file.empty() ? label : label.substr(file.size() + 1);
    auto found = std::ranges::find(all, words, &NotedRecords::words);
    if (found == all.end() || file.empty()) found = all.insert(all.end(), {words, {}});
    if (!file.empty()) found->files.insert(file);
  }
  std::vector<std::string> labels;
  for (const NotedRecords& said : all) {
    const std::string joint = said.files.size() > 1 ? ": each " : said.files.empty() ? "" : " ";
    labels.push_back(some_of(said.files) + joint + said.words);
  }
  return labels;
}

}  // namespace

Markup notes_of(const PageData& page_data, const Comparison& comparison) {
  Markup content;
  for (const std::string& label : said_once(comparison)) {
    if (!is_warning_of(page_data, label))
      content += element("p", {{"class", "warning"}}, "! " + label);
  }
  std::string text;
  if (comparison.noise_floor) {
    text = fmt::format("Noise floor {}: identical programs differed by this much. ",
                       compare::percent(*comparison.noise_floor));
  } else if (comparison.tests > 0) {
    text =
        "Noise floor: not measured (assay bench --aa). Without it, small differences mean "
        "nothing. ";
  }
  return content + element("p", {{"class", "under"}}, text + rules_text(comparison) + ".");
}

std::string rules_text(const Comparison& comparison) {
  if (comparison.tests == 0) return "Counts, compared exactly";
  const std::string which =
      comparison.tests == 1 ? "the test" : fmt::format("any of the {} tests", comparison.tests);
  return fmt::format(
      "Margin {}: less counts as the same. The chance that {} finds a difference where there is "
      "none is at most {:g}\u00a0%",
      compare::percent(comparison.margin), which, 100 * comparison.alpha);
}

// Geometric means of the ratios of a comparison.

namespace {

/// Copies between the memories do not speak of the GPU alone.
std::string quantity_text(const compare::Summary& summary) {
  const bool is_of_bus =
      summary.scope == compare::Scope::kBoth && summary.quantity.starts_with("device.");
  return summary.quantity + (is_of_bus ? " between the memories" : "");
}

std::string mean_text(const compare::Summary& summary, bool with_subject) {
  const stats::Geomean& mean = summary.geomean;
  std::string text = quantity_text(summary);
  if (with_subject) text += " of " + summary.subject;
  text += " × " + figure(mean.value);
  if (mean.interval) {
    text += fmt::format(" (95 %: {} – {})", figure_like(mean.interval->low, mean.value),
                        figure_like(mean.interval->high, mean.value));
  }
  return text;
}

}  // namespace

Markup means_table(const Comparison& comparison) {
  Table table{"Geometric means of the ratios",
              {"Candidate", "Subject", "Quantity", "Mean", "95 % interval", "Cases", "Ratios"},
              {},
              true};
  for (const compare::Summary& summary : comparison.summaries) {
    const stats::Geomean& mean = summary.geomean;
    const std::string interval =
        mean.interval ? fmt::format("{} – {}", figure_like(mean.interval->low, mean.value),
                                    figure_like(mean.interval->high, mean.value))
                      : "too few cases";
    table.rows.push_back({{{Markup(comparison.columns[summary.column].label), {}},
                           {summary.subject, {}},
                           {quantity_text(summary), {}},
                           number(mean.value, "× " + figure(mean.value)),
                           {interval, {}, true},
                           number(mean.clusters),
                           number(mean.ratios)},
                          ""});
  }
  table.drop_empty_columns();
  return table.rows.empty() ? Markup() : to_markup_with_fold(table, kMostOpenRows, "mean");
}

std::string means_against(const Comparison& comparison, std::size_t column) {
  constexpr std::size_t kMost = 8;
  const auto is_of_the_first = [&](const compare::Summary& summary) {
    return summary.subject == comparison.summaries.front().subject;
  };
  const bool is_of_one = std::ranges::all_of(comparison.summaries, is_of_the_first);
  const auto means_of = [&](std::optional<compare::Scope> scope) {
    std::string means;
    std::size_t count = 0;
    for (const compare::Summary& summary : comparison.summaries) {
      const bool is_it = summary.column == column && (!scope || summary.scope == *scope);
      if (is_it && count++ < kMost)
        means += (means.empty() ? "" : ", ") + mean_text(summary, !is_of_one);
    }
    return means;
  };
  const std::vector<compare::Scope> scopes = compare::scopes_apart(comparison);
  if (scopes.empty()) return means_of(std::nullopt);
  std::string all;
  for (const compare::Scope scope : scopes) {
    if (const std::string means = means_of(scope); !means.empty())
      all += fmt::format("{}{}: {}", all.empty() ? "" : "; ", compare::name_of(scope), means);
  }
  return all;
}

}  // namespace assay::page
