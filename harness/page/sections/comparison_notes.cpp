// Notes on a comparison, and its statistical error rate.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/compare/compare.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using compare::Comparison;

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

}  // namespace assay::page
