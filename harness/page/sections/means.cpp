// Geometric means of the ratios of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {

using compare::Comparison;

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
