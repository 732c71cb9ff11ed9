// Writes comparisons as text and Markdown.
#include <fmt/format.h>

#include <algorithm>

#include "harness/compare/render/render.hpp"
#include "harness/compare/render/sections.hpp"
#include "harness/text/neutral.hpp"

namespace assay::compare {
namespace {

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
