// The verdict: a row a subject.
#include <fmt/format.h>

#include "harness/page/sections.hpp"

namespace assay::page {
namespace {

/// Beyond it the table alone.
constexpr std::size_t kMostLines = 6;

TableRow row_of(const Material& material, const SubjectRun& run) {
  const report::SubjectRecord& subject = *run.subject;
  const Markup name = link_to(anchor_of_run(run), run.label);
  TableRow row;
  row.cells = {
      {name, {}},
      {verdict_mark(subject.verdict, subject.exit_code), subject.exit_code},
      {tally_bar(run.tally), {}},
      number(run.tally.all),
      number(run.tally.of("pass")),
      count_or_blank(run.tally.spoiled, link_to(first_failure(material.failures, run, "", ""),
                                                std::to_string(run.tally.spoiled))),
      count_or_blank(run.tally.of("waived"),
                     link_to("waivers", std::to_string(run.tally.of("waived")))),
      count_or_blank(run.tally.excused, link_to("unsupported", std::to_string(run.tally.excused))),
      number(
          static_cast<double>(subject.clauses_witnessed),
          link_to("clauses", fmt::format("{} of {}", subject.clauses_witnessed, subject.clauses))),
      number(subject.seconds, fmt::format("{:.1f} s", subject.seconds))};
  return row;
}

/// The verdict as it was printed, its first word marked.
Markup line_of(const SubjectRun& run) {
  const report::SubjectRecord& subject = *run.subject;
  if (!subject.line.starts_with(subject.verdict)) return subject.line;
  return verdict_mark(subject.verdict, subject.exit_code) +
         subject.line.substr(subject.verdict.size());
}

}  // namespace

Section verdict_section(const Material& material) {
  Table table{"",
              {"Subject", "Verdict", "Outcomes", "Cases", "Pass", "Failing", "Waived",
               "Unsupported", "Clauses witnessed", "Time"},
              {},
              true};
  Markup lines;
  for (const SubjectRun& run : material.runs) {
    table.rows.push_back(row_of(material, run));
    lines += element("p", {{"class", "line"}}, line_of(run));
  }
  table.caption = fmt::format("Verdict on {}", counted(table.rows.size(), "subject"));
  table.drop_empty_columns();
  Markup content;
  if (material.runs.size() <= kMostLines) content += lines;
  if (!table.rows.empty()) content += to_markup(table);
  return {"verdict", "Verdict", "", content};
}

}  // namespace assay::page
