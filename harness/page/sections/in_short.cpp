// The page in a few sentences.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "harness/compare/compare.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using compare::Comparison;
using compare::Verdict;

constexpr std::size_t kMostOfAKind = 6;

Markup sentence(const Markup& head, const Markup& rest) {
  return element("li", element("b", head) + ": " + rest);
}

/// `23 of 26 slower, 3 no number`
std::string verdicts_of(const Comparison& comparison, std::size_t column) {
  std::string text;
  for (std::size_t v = 0; v < compare::kVerdicts; ++v) {
    const auto verdict = static_cast<Verdict>(v);
    const auto count = std::ranges::count_if(comparison.rows, [&](const compare::Row& row) {
      return row.cells[column - 1].verdict == verdict;
    });
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, compare::name_of(verdict));
  }
  return fmt::format("of {}, {}", counted(comparison.rows.size(), "number"), text);
}

std::string mean_text(const compare::Summary& summary) {
  const stats::Geomean& mean = summary.geomean;
  std::string text = summary.quantity;
  if (!summary.subject.empty()) text += " of " + summary.subject;
  text += " × " + figure(mean.value);
  if (mean.interval) {
    text += fmt::format(" ({} – {})", figure_like(mean.interval->low, mean.value),
                        figure_like(mean.interval->high, mean.value));
  }
  return text;
}

std::string means_of(const Comparison& comparison, std::size_t column) {
  std::vector<std::string> means;
  for (const compare::Summary& summary : comparison.summaries) {
    if (summary.column == column && means.size() < kMostOfAKind)
      means.push_back(mean_text(summary));
  }
  return means.empty() ? "" : fmt::format("; mean ratio {}", fmt::join(means, ", "));
}

Markup about_comparison(const Material& material) {
  if (!material.compared.refusal.empty())
    return sentence("Not compared", Markup(material.compared.refusal));
  if (!material.compared.found) return {};
  const Comparison& comparison = *material.compared.found;
  Markup content;
  for (std::size_t i = 1; i < std::min(comparison.columns.size(), kMostOfAKind + 1); ++i) {
    const std::string rest = fmt::format("{}{} ({})", verdicts_of(comparison, i),
                                         means_of(comparison, i), compare::rules_of(comparison));
    content += sentence(link_to("comparison", comparison.columns[i].label + " against " +
                                                  comparison.columns.front().label),
                        rest);
  }
  return content;
}

/// By subject, status and reason.
Markup about_missing_numbers(const Bench& bench) {
  std::map<std::tuple<std::string, report::BenchStatus, std::string>, std::size_t> lacks;
  std::size_t all = 0;
  for (const report::BenchMeasurement& measured : bench.record->measurements) {
    if (measured.center) continue;
    ++all;
    ++lacks[{measured.subject, measured.status, measured.reason.value_or("no reason given")}];
  }
  if (all == 0) return {};
  std::vector<std::string> texts;
  for (const auto& [key, count] : lacks) {
    const auto& [subject, status, reason] = key;
    texts.push_back(
        fmt::format("{} on {}, {}: {}", count, subject, name_of(status), cut(reason, 160)));
  }
  const std::string head = fmt::format("Not measured in {}", bench.source->name);
  std::string rest = fmt::format("{} of {}. ", all, bench.record->measurements.size());
  const std::size_t shown = std::min(texts.size(), kMostOfAKind);
  rest += fmt::format(
      "{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(shown), "; "));
  if (shown < texts.size()) rest += fmt::format("; and {} more reasons", texts.size() - shown);
  return sentence(link_to(anchor_of_bench(bench), head), rest);
}

Markup about_unsupported(const Material& material) {
  std::size_t results = 0, unannounced = 0;
  std::set<std::string> subjects;
  for (const SubjectRun& run : material.runs) {
    const std::size_t count = run.tally.of("unsupported");
    if (count > 0) subjects.insert(run.label);
    results += count;
    unannounced += count - run.tally.excused;
  }
  if (results == 0) return {};
  std::string rest =
      fmt::format("{} on {}", counted(results, "result"),
                  subjects.size() == 1 ? *subjects.begin() : counted(subjects.size(), "subject"));
  rest += unannounced == 0 ? ", all announced" : fmt::format(", {} unannounced", unannounced);
  return sentence(link_to("unsupported", "Unsupported"), rest);
}

Markup about_waivers(const Material& material) {
  std::size_t count = 0;
  for (const SubjectRun& run : material.runs) count += run.tally.of("waived");
  if (count == 0) return {};
  return sentence(link_to("waivers", "Waived"),
                  counted(count, "result") + ", which would have failed");
}

}  // namespace

Markup in_short(const Material& material) {
  Markup items = about_comparison(material);
  for (std::size_t i = 0; i < std::min(material.benches.size(), kMostOfAKind); ++i)
    items += about_missing_numbers(material.benches[i]);
  items += about_unsupported(material) + about_waivers(material);
  return items.empty() ? items : element("h3", "In short") + element("ul", items);
}

}  // namespace assay::page
