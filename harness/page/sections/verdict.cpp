// The verdict: a row a subject.
#include <fmt/format.h>

#include <algorithm>

#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

/// Beyond it the table alone.
constexpr std::size_t kMostLines = 6;

/// The words in capitals that a verdict opens with, marked.
Markup marked_line(std::string_view line, int exit_code) {
  const auto end =
      std::min(line.find_first_of("abcdefghijklmnopqrstuvwxyz0123456789"), line.size());
  const auto space = line.substr(0, end).rfind(' ');
  if (space == std::string_view::npos) return line;
  return verdict_mark(line.substr(0, space), exit_code) + line.substr(space);
}

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

std::size_t with_status(const Bench& bench, report::BenchStatus status) {
  return static_cast<std::size_t>(
      std::ranges::count(bench.record->measurements, status, &report::BenchMeasurement::status));
}

Markup floor_of(const report::BenchRecord& record) {
  return record.noise_floor ? fmt::format("{:.1f} %", record.noise_floor->relative * 100) : "";
}

TableRow row_of(const Bench& bench) {
  const report::BenchRecord& record = *bench.record;
  const std::size_t failed = with_status(bench, report::BenchStatus::kFailed);
  TableRow row;
  row.cells = {
      {link_to(anchor_of_bench(bench), bench.source->name), {}},
      {marked_line(record.meta.line, record.meta.exit_code), {}},
      number(record.subjects.size()),
      number(with_status(bench, report::BenchStatus::kMeasured)),
      count_or_blank(failed, element("span", {{"class", "bad"}}, std::to_string(failed))),
      number(static_cast<double>(record.meta.processes), std::to_string(record.meta.processes)),
      {floor_of(record), {}, true},
      count_or_blank(record.warnings.size(),
                     link_to(anchor_of_bench(bench), std::to_string(record.warnings.size()))),
      {record.environment.machine, {}}};
  return row;
}

Markup benches_table(const Material& material) {
  Table table{fmt::format("Verdict on {}", counted(material.benches.size(), "measuring run")),
              {"Record", "Verdict", "Subjects", "Measured", "Failed", "Processes", "Noise floor",
               "Warnings", "Machine"},
              {},
              true};
  for (const Bench& bench : material.benches) table.rows.push_back(row_of(bench));
  table.drop_empty_columns();
  return table.rows.empty() ? Markup() : to_markup(table);
}

Markup litmus_lines(const Material& material) {
  Markup lines;
  for (const Source& source : material.report.sources) {
    if (!source.litmus) continue;
    lines += element("p", {{"class", "line"}},
                     marked_line(source.litmus->line, source.litmus->exit) + " " +
                         link_to("litmus", "litmus programs"));
  }
  return lines;
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
    lines +=
        element("p", {{"class", "line"}}, marked_line(run.subject->line, run.subject->exit_code));
  }
  table.caption = fmt::format("Verdict on {}", counted(table.rows.size(), "subject"));
  table.drop_empty_columns();
  Markup content;
  if (material.runs.size() <= kMostLines) content += lines;
  if (!table.rows.empty()) content += to_markup(table);
  content += benches_table(material) + litmus_lines(material) + in_short(material);
  return {"verdict", "Verdict", "", content};
}

}  // namespace assay::page
