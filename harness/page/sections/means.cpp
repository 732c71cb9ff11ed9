// Geometric means of the ratios of a comparison.
#include <fmt/format.h>

#include <algorithm>

#include "harness/compare/comparison.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {

using compare::Comparison;

namespace {

std::string mean_text(const compare::Summary& summary, bool with_subject) {
  const stats::Geomean& mean = summary.geomean;
  std::string text = summary.quantity;
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
                           {summary.quantity, {}},
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
  std::string means;
  std::size_t count = 0;
  for (const compare::Summary& summary : comparison.summaries) {
    if (summary.column == column && count++ < kMost)
      means += (means.empty() ? "" : ", ") + mean_text(summary, !is_of_one);
  }
  return means;
}

}  // namespace assay::page
