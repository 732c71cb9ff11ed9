// Printing litmus programs and histograms.
#include "harness/litmus/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/suite/card/card.hpp"

namespace assay {
namespace {

constexpr std::string_view kRed = "1;31";
constexpr std::string_view kDim = "2";

std::string painted(const std::string& text, std::string_view code, bool colours) {
  return colours ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

/// One column a thread, an operation a line.
std::string side_by_side(const litmus::Program& program) {
  std::vector<std::vector<std::string>> columns;
  std::size_t lines = 0;
  for (const litmus::Thread& thread : program.threads) {
    std::vector<std::string>& column = columns.emplace_back();
    if (program.threads.size() > 1) column.push_back(thread.name + ":");
    for (const litmus::Operation& one : thread.operations) column.push_back(to_text(one));
    lines = std::max(lines, column.size());
  }
  std::string text;
  for (std::size_t line = 0; line < lines; ++line) {
    std::string row = "   ";
    for (const auto& column : columns) {
      const auto longest = std::ranges::max(column, {}, &std::string::size).size();
      row += fmt::format(" {:<{}}  ", line < column.size() ? column[line] : "", longest);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string mark_of(const report::LitmusSeen& row) {
  if (row.forbidden()) return "  FORBIDDEN";
  return row.times == 0 ? "  never seen" : "";
}

std::string histogram(const report::LitmusEntry& entry, bool colours) {
  std::string text = "   ";
  for (const std::string& name : entry.observations) text += " " + name;
  text +=
      (entry.observations.empty() ? " (nothing is observed)" : "") + std::string("       times\n");
  for (const report::LitmusSeen& row : entry.seen) {
    std::string line = "   ";
    for (std::size_t i = 0; i < row.outcome.size(); ++i) {
      line += fmt::format(" {:>{}}", row.outcome[i], entry.observations[i].size());
    }
    if (row.outcome.empty()) line += fmt::format(" {:22}", "");
    line += fmt::format(" {:>11}{}", row.times, mark_of(row));
    const bool plain = row.permitted && row.times > 0;
    text += (plain ? line : painted(line, row.forbidden() ? kRed : kDim, colours)) + "\n";
  }
  return text;
}

}  // namespace

std::string shown(const LitmusTest& test, const report::LitmusEntry& entry, bool colours) {
  std::string text = test.id == test.name ? test.id : test.id + "  " + test.name;
  text += "\n\n" + side_by_side(test.program) + "\n";
  if (!test.axioms.empty()) {
    text += wrapped(fmt::format("rests on {}", fmt::join(test.axioms, ", ")), 4, 100, 9);
  }
  if (entry.hangs) {
    text += "    the axioms permit it to wait forever\n";
  }
  if (!entry.listed)
    text += "    it permits too many outcomes to list: each observed outcome is checked\n";
  if (!entry.lacking.empty()) text += wrapped("not run: " + entry.lacking, 4, 100, 9);
  if (!entry.broken.empty()) {
    text += painted(wrapped("FORBIDDEN: " + entry.broken, 4, 100, 9), kRed, colours);
  }
  return text + "\n" + (entry.lacking.empty() ? histogram(entry, colours) + "\n" : "");
}

}  // namespace assay
