// Formats the cells of a comparison's tables.
#include "harness/compare/render/sections.hpp"

#include <fmt/format.h>

#include "harness/compare/render/render.hpp"
#include "harness/stats/contrast.hpp"

namespace assay::compare {
namespace {

std::string number_text(const Number& number) {
  if (!number.center) return "-";
  return *number.center >= 1000 ? fmt::format("{:.0f}", *number.center)
                                : fmt::format("{:.4g}", *number.center);
}

std::string ratio_text(double ratio, const std::optional<double>& low,
                       const std::optional<double>& high) {
  std::string text = fmt::format("{:.4f}", ratio);
  if (low && high) text += fmt::format(" [{:.4f}, {:.4f}]", *low, *high);
  return text;
}

std::string why(const Row& row, const Cell& cell) {
  if (!cell.reason.empty()) return cell.reason;
  if (cell.verdict == Verdict::kNew) return row.baseline.reason;
  if (cell.verdict == Verdict::kMissing) return cell.number.reason;
  if (cell.verdict == Verdict::kNoNumber) {
    return cell.number.source != nullptr ? cell.number.reason : row.baseline.reason;
  }
  return "";
}

std::string verdict_text(const Row& row, const Cell& cell, double usual_margin) {
  std::string text(name_of(cell.verdict));
  if (const std::string reason = why(row, cell); !reason.empty()) text += ": " + reason;
  if (cell.verdict == Verdict::kUndecided) {
    text += cell.more
                ? fmt::format(" (about {} more process{})", *cell.more, *cell.more == 1 ? "" : "es")
                : fmt::format(" (more than {} more processes)", stats::kMostMore);
  }
  const bool is_other = !row.exact && row.margin != usual_margin;
  if (is_compared(cell.verdict) && is_other) text += ", margin " + percent(row.margin);
  return text;
}

std::vector<std::string> head_of(const Comparison& comparison) {
  std::vector<std::string> head{"case", comparison.columns.front().label};
  for (std::size_t i = 1; i < comparison.columns.size(); ++i) {
    head.push_back(comparison.columns[i].label);
    head.emplace_back("ratio");
    head.emplace_back("verdict");
  }
  return head;
}

std::vector<std::string> cells_of(const Comparison& comparison, const Row& row) {
  std::vector<std::string> cells{row.name, number_text(row.baseline)};
  for (const Cell& cell : row.cells) {
    cells.push_back(number_text(cell.number));
    cells.push_back(cell.ratio ? ratio_text(*cell.ratio, cell.low, cell.high) : "-");
    cells.push_back(verdict_text(row, cell, comparison.margin));
  }
  return cells;
}

const Summary* summary_of(const Comparison& comparison, const Row& row, std::size_t column) {
  for (const Summary& summary : comparison.summaries) {
    if (summary.column == column && summary.subject == row.subject &&
        summary.quantity == row.quantity && summary.scope == row.scope) {
      return &summary;
    }
  }
  return nullptr;
}

/// The mean of a single ratio would repeat it.
bool has_mean(const Comparison& comparison, const Row& row) {
  for (std::size_t column = 1; column < comparison.columns.size(); ++column) {
    const Summary* summary = summary_of(comparison, row, column);
    if (summary != nullptr && summary->geomean.ratios > 1) return true;
  }
  return false;
}

std::vector<std::string> mean_of(const Comparison& comparison, const Row& row) {
  std::vector<std::string> cells{"geometric mean", ""};
  for (std::size_t column = 1; column < comparison.columns.size(); ++column) {
    const Summary* summary = summary_of(comparison, row, column);
    cells.emplace_back("");
    if (summary == nullptr) {
      cells.insert(cells.end(), {"-", ""});
      continue;
    }
    const stats::Geomean& mean = summary->geomean;
    const auto low = mean.interval ? std::optional(mean.interval->low) : std::nullopt;
    const auto high = mean.interval ? std::optional(mean.interval->high) : std::nullopt;
    cells.push_back(ratio_text(mean.value, low, high));
    cells.push_back(fmt::format("{} ratios of {} case{}", mean.ratios, mean.clusters,
                                mean.clusters == 1 ? "" : "s"));
  }
  return cells;
}

std::string title_of(const Row& row) {
  const char* better = row.higher_is_better ? "higher is" : row.exact ? "fewer are" : "lower is";
  const bool is_of_bus = row.scope == Scope::kBoth && row.quantity.starts_with("device.");
  return fmt::format(
      "{}{}{}{}, in {}, {} better{}", row.quantity, row.subject.empty() ? "" : " of ", row.subject,
      is_of_bus ? ", between the memories" : "", row.unit, better, row.exact ? ", exact" : "");
}

}  // namespace

std::vector<Section> sections_of(const Comparison& comparison) {
  std::vector<Section> sections;
  const Row* last = nullptr;
  const auto end_section = [&] {
    if (last == nullptr || !has_mean(comparison, *last)) return;
    sections.back().rows.push_back(mean_of(comparison, *last));
  };
  for (const Row& row : comparison.rows) {
    if (last == nullptr || !are_of_one_section(*last, row)) {
      end_section();
      sections.push_back({title_of(row), head_of(comparison), {}});
    }
    sections.back().rows.push_back(cells_of(comparison, row));
    last = &row;
  }
  end_section();
  return sections;
}

}  // namespace assay::compare
