// Litmus programs: each with its histogram of outcomes.
#include <fmt/format.h>

#include <algorithm>

#include "harness/page/markup/svg.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using report::LitmusEntry;
using report::LitmusRecord;
using report::LitmusSeen;

Markup verdict_on(const LitmusSeen& seen) {
  if (seen.forbidden()) return element("span", {{"class", "bad"}}, "✗ forbidden");
  if (!seen.permitted) return "forbidden";
  if (seen.times == 0) return element("span", {{"class", "quiet"}}, "– never seen");
  return element("span", {{"class", "good"}}, "✓ permitted");
}

TableRow row_of(const LitmusEntry& entry, const LitmusSeen& seen) {
  const auto times = static_cast<double>(seen.times);
  const auto others = static_cast<double>(std::max<std::int64_t>(entry.runs - seen.times, 0));
  TableRow row;
  for (const std::int64_t value : seen.outcome)
    row.cells.push_back(number(static_cast<double>(value), std::to_string(value)));
  row.cells.push_back({verdict_on(seen), {}});
  row.cells.push_back(number(times, std::to_string(seen.times)));
  const char* colour = seen.permitted ? colour::kGood : colour::kBad;
  const std::string words = fmt::format("{} of {} runs", seen.times, entry.runs);
  row.cells.push_back(
      {stacked_bar({{times, colour}, {others, "transparent"}}, {"Share of the runs", words}), {}});
  return row;
}

Markup histogram(const LitmusEntry& entry) {
  if (entry.seen.empty()) return {};
  Table table{fmt::format("{}: what was seen in {}", entry.id,
                          counted(static_cast<std::size_t>(entry.runs), "run")),
              {entry.observations.begin(), entry.observations.end()},
              {},
              false};
  for (const char* head : {"Verdict", "Times", "Share"}) table.columns.emplace_back(head);
  for (const LitmusSeen& seen : entry.seen) table.rows.push_back(row_of(entry, seen));
  return to_markup(table);
}

Markup head_of(const LitmusEntry& entry) {
  Markup head = element("b", entry.id) + " " + entry.name;
  if (entry.failed()) return head + " " + element("span", {{"class", "bad"}}, "✗ fails");
  if (entry.runs == 0) return head + " " + element("span", {{"class", "quiet"}}, "– not run");
  const auto seen =
      std::ranges::count_if(entry.seen, [](const auto& row) { return row.times > 0; });
  return head + " " +
         element(
             "span", {{"class", "quiet"}},
             fmt::format("{} of {} seen", seen, counted(entry.seen.size(), "permitted outcome")));
}

Markup entry_of(const LitmusEntry& entry, const std::string& anchor) {
  Markup content = code_block(entry.program);
  for (const std::string& why : {entry.broken, entry.lacking}) {
    if (!why.empty()) content += element("p", {{"class", "warning"}}, "! " + cut(why, 600));
  }
  if (entry.hangs) content += element("p", {{"class", "under"}}, "It may hang.");
  return foldable(head_of(entry), content + histogram(entry), anchor, entry.failed());
}

Markup record_of(const Source& source, std::size_t number) {
  const LitmusRecord& record = *source.litmus;
  Markup content = element("h3", source.name) +
                   element("p", {{"class", "line"}}, marked_line(record.line, record.exit)) +
                   element("p", {{"class", "under"}},
                           fmt::format("{}, contract {}{}", record.subject, record.contract,
                                       record.schedule.empty() ? "" : ", " + record.schedule));
  for (std::size_t i = 0; i < record.entries.size(); ++i)
    content += entry_of(record.entries[i], fmt::format("litmus-{}-{}", number, i + 1));
  return content;
}

}  // namespace

Section litmus_section(const PageData& page_data) {
  Markup content;
  std::size_t programs = 0, records = 0;
  for (const Source& source : page_data.report.sources) {
    if (!source.litmus) continue;
    content += record_of(source, ++records);
    programs += source.litmus->entries.size();
  }
  return {"litmus", "Litmus", std::to_string(programs), content};
}

}  // namespace assay::page
