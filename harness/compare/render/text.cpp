// Writes comparisons as text and Markdown, whose tables have the same cells.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/stats/contrast.hpp"
#include "harness/text/neutral.hpp"

namespace assay::compare {
namespace {

struct Section {
  std::string title;  ///< `host.dispatch_ns of reference, in ns, lower is better`
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

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

std::string side_text(const Column& column) {
  const report::BenchRecord& record = *column.record;
  return fmt::format("{}: {}, {}, {} processes, {}, revision {}{}{}", column.label,
                     record.meta.started, record.environment.machine, record.meta.processes,
                     record.meta.build.build_type, record.meta.build.revision.substr(0, 12),
                     record.meta.build.dirty ? " with changes" : "",
                     record.synthetic ? ", SYNTHETIC" : "");
}

/// Names and reasons come from files.
std::vector<std::string> on_lines(std::vector<std::string> cells) {
  std::ranges::transform(cells, cells.begin(), one_line);
  return cells;
}

std::string aligned(Section section) {
  section.head = on_lines(std::move(section.head));
  for (auto& row : section.rows) row = on_lines(std::move(row));
  std::vector<std::size_t> widths(section.head.size());
  const auto widen = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  };
  widen(section.head);
  std::ranges::for_each(section.rows, widen);
  std::string text;
  const auto write = [&](const std::vector<std::string>& cells) {
    std::string line = " ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += fmt::format(" {:<{}} ", cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  write(section.head);
  std::ranges::for_each(section.rows, write);
  return text;
}

std::string floor_text(const Comparison& comparison) {
  if (!comparison.noise_floor) {
    return "noise floor unknown: no record times a copy of a subject (`assay bench --aa`)";
  }
  return fmt::format("noise floor {}: identical programs differed by that much",
                     percent(*comparison.noise_floor));
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + for_markdown(cell) + " |";
  return line + "\n";
}

}  // namespace

std::string percent(double share) { return fmt::format("{:.3g} %", share * 100); }

std::string rules_of(const Comparison& comparison) {
  return fmt::format("margin {}, alpha {:g}, {} tests corrected for together",
                     percent(comparison.margin), comparison.alpha, comparison.tests);
}

std::string to_text(const Comparison& comparison) {
  std::string text;
  for (const Column& column : comparison.columns) text += one_line(side_text(column)) + "\n";
  for (const Section& section : sections_of(comparison)) {
    text += "\n" + one_line(section.title) + "\n" + aligned(section);
  }
  text += "\n" + rules_of(comparison) + "; " + floor_text(comparison) + "\n";
  for (const std::string& label : comparison.labels) text += "note: " + one_line(label) + "\n";
  return text;
}

std::string to_markdown(const Comparison& comparison, const Outcome& outcome) {
  std::string text = fmt::format("**{}**\n\n", for_markdown(outcome.line));
  for (const Outcome::Finding& finding : outcome.findings) {
    text += fmt::format("- {}{}\n", finding.fails ? "**fails** " : "", for_markdown(finding.text));
  }
  for (const Section& section : sections_of(comparison)) {
    text += "\n### " + for_markdown(section.title) + "\n\n" + markdown_line(section.head);
    text += markdown_line(std::vector<std::string>(section.head.size(), "---"));
    for (const auto& row : section.rows) text += markdown_line(row);
  }
  text += "\n";
  for (const Column& column : comparison.columns)
    text += "- " + for_markdown(side_text(column)) + "\n";
  text += "- " + rules_of(comparison) + "; " + for_markdown(floor_text(comparison)) + "\n";
  for (const std::string& label : comparison.labels) text += "- " + for_markdown(label) + "\n";
  return text;
}

}  // namespace assay::compare
