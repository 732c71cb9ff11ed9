// The verdict: one row per subject.
#include <fmt/format.h>

#include <algorithm>

#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

TableRow row_of(const PageData& page_data, const SubjectRun& run) {
  const report::SubjectRecord& subject = *run.subject;
  const Markup name = link_to(anchor_of_run(run), run.label);
  TableRow row;
  row.cells = {
      {name, {}},
      {verdict_mark(subject.verdict, subject.exit_code), subject.exit_code},
      {tally_bar(run.tally), {}},
      number(run.tally.all),
      number(run.tally.of("pass")),
      count_or_blank(run.tally.spoiled, link_to(page_data.first_failures.anchor(run),
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

std::size_t with_status(const Bench& bench, report::BenchStatus status) {
  return static_cast<std::size_t>(
      std::ranges::count(bench.record->measurements, status, &report::BenchMeasurement::status));
}

/// Counted as in the table of missing numbers: without copies of subjects.
std::size_t missing_in(const Bench& bench) {
  std::size_t count = 0;
  for (const Missing& missing : missing_of(bench)) count += missing.names.size();
  return count;
}

Markup floor_of(const report::BenchRecord& record) {
  return record.noise_floor ? fmt::format("{:.1f} %", record.noise_floor->relative * 100) : "";
}

TableRow row_of(const Bench& bench) {
  const report::BenchRecord& record = *bench.record;
  const std::size_t failed = with_status(bench, report::BenchStatus::kFailed);
  const std::size_t measured = with_status(bench, report::BenchStatus::kMeasured);
  const std::size_t missing = missing_in(bench);
  const std::size_t others = missing - std::min(missing, failed);
  TableRow row;
  row.cells = {
      {link_to_bench(bench, bench.source->name), {}},
      {marked_verdict(record.meta.line, record.meta.exit_code), {}},
      number(record.subjects.size()),
      number(measured),
      count_or_blank(failed, element("span", {{"class", "bad"}}, std::to_string(failed))),
      count_or_blank(others, bench.is_whole
                                 ? link_to(anchor_of_missing(bench), std::to_string(others))
                                 : Markup(std::to_string(others))),
      number(static_cast<double>(record.meta.processes), std::to_string(record.meta.processes)),
      {floor_of(record), {}, true},
      count_or_blank(record.warnings.size(),
                     link_to(kWarningsAnchor, std::to_string(record.warnings.size()))),
      {record.environment.machine, {}}};
  return row;
}

Markup benches_table(const PageData& page_data) {
  Table table{fmt::format("Verdict on {}", counted(page_data.benches.size(), "measuring run")),
              {"Record", "Verdict", "Subjects", "Measured", "Failed", "Without a number",
               "Processes", "Noise floor", "Warnings", "Machine"},
              {},
              true};
  for (const Bench& bench : page_data.benches) table.rows.push_back(row_of(bench));
  table.drop_empty_columns();
  return table.rows.empty() ? Markup() : to_markup_with_fold(table, kMostOpenRows, "record");
}

}  // namespace

Section verdict_section(const PageData& page_data) {
  Table table{fmt::format("Verdict on {}", counted(page_data.runs.size(), "subject")),
              {"Subject", "Verdict", "Outcomes", "Cases", "Pass", "Failing", "Waived",
               "Unsupported", "Clauses witnessed", "Time"},
              {},
              true};
  for (const SubjectRun* run : worst_first(page_data.runs))
    table.rows.push_back(row_of(page_data, *run));
  table.drop_empty_columns();
  Markup content;
  if (!table.rows.empty()) content += to_markup_with_fold(table, kMostOpenRows, "subject");
  if (page_data.benches.size() > 1) content += benches_table(page_data);
  return {"verdict", "Verdict", "", content};
}

}  // namespace assay::page
