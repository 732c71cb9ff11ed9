// The same records without HTML: as Markdown, and as one CSV table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "harness/compare/gate.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/page/data/comparison.hpp"
#include "harness/page/report.hpp"
#include "harness/text/neutral.hpp"

namespace assay::page {
namespace {

using Fields = std::array<std::string, 13>;

constexpr const char* kHead =
    "record,subject,contract,case,quantity,result,value,low,high,unit,processes,clauses,reason\n";

std::string line_of(const Fields& fields) { return fmt::format("{}\n", fmt::join(fields, ",")); }

std::string exact(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

const std::string& reason_of(const report::CaseRecord& test) {
  return test.excuse.empty() ? test.sentence : test.excuse;
}

std::string case_lines(const Source& source) {
  std::string text;
  for (const report::SubjectRecord& subject : source.run->subjects) {
    for (const report::CaseRecord& test : subject.cases) {
      const std::string clauses = fmt::format("{}", fmt::join(test.clauses, " "));
      text += line_of({for_csv(source.name), for_csv(subject.subject), for_csv(test.contract),
                       for_csv(test.id), "", for_csv(test.outcome), "", "", "", "", "",
                       for_csv(clauses), for_csv(reason_of(test))});
    }
  }
  return text;
}

std::string contract_of(const report::BenchRecord& bench, const std::string& subject) {
  for (const report::BenchSubject& one : bench.subjects) {
    if (one.id == subject) return one.contract;
  }
  return "";
}

std::string measurement_lines(const Source& source) {
  std::string text;
  for (const report::BenchMeasurement& row : source.bench->measurements) {
    const auto& interval = row.interval;
    text += line_of({for_csv(source.name), for_csv(row.subject),
                     for_csv(contract_of(*source.bench, row.subject)),
                     for_csv(report::full_name(row.case_name, row.axes)), for_csv(row.quantity),
                     std::string(report::name_of(row.status)), exact(row.center),
                     interval ? exact(interval->low) : "", interval ? exact(interval->high) : "",
                     for_csv(row.unit), std::to_string(row.processes.size()), "",
                     for_csv(row.reason.value_or(""))});
  }
  return text;
}

const char* result_of(const report::LitmusSeen& seen) {
  return !seen.permitted ? "forbidden" : seen.times > 0 ? "permitted" : "never seen";
}

std::string outcome_text(const report::LitmusEntry& entry, const report::LitmusSeen& seen) {
  std::string text;
  for (std::size_t i = 0; i < seen.outcome.size(); ++i)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", entry.observations[i], seen.outcome[i]);
  return text;
}

std::string litmus_lines(const Source& source) {
  std::string text;
  for (const report::LitmusEntry& entry : source.litmus->entries) {
    const auto line = [&](const std::string& quantity, const char* result, const std::string& times,
                          const std::string& reason) {
      text += line_of({for_csv(source.name), for_csv(source.litmus->subject),
                       for_csv(source.litmus->contract), for_csv(entry.id), for_csv(quantity),
                       result, times, "", "", "times", "", "", for_csv(reason)});
    };
    for (const report::LitmusSeen& seen : entry.seen)
      line(outcome_text(entry, seen), result_of(seen), std::to_string(seen.times), "");
    if (!entry.lacking.empty()) line("", "not run", "", entry.lacking);
    if (!entry.broken.empty()) line("", "broken", "", entry.broken);
  }
  return text;
}

std::string litmus_text(const report::LitmusRecord& record) {
  std::string text = fmt::format("# {}\n\n| program | outcome | | times |\n|---|---|---|--:|\n",
                                 for_markdown(record.line));
  for (const report::LitmusEntry& entry : record.entries) {
    const std::string name = for_markdown(entry.id + " " + entry.name);
    for (const report::LitmusSeen& seen : entry.seen) {
      text += fmt::format("| {} | {} | {} | {} |\n", name, for_markdown(outcome_text(entry, seen)),
                          result_of(seen), seen.times);
    }
    const std::string why = entry.broken.empty() ? entry.lacking : entry.broken;
    if (!why.empty()) text += fmt::format("| {} | | {} | |\n", name, for_markdown(why));
  }
  return text;
}

std::string comparison_text(const Report& report) {
  std::string text;
  for (const Compared& compared : comparisons_of(benches_of(report))) {
    if (!compared.found) continue;
    compare::Outcome outcome;
    outcome.line = compare::line_of(*compared.found, 0, false);
    text += compare::to_markdown(*compared.found, outcome) + "\n";
  }
  return text;
}

}  // namespace

std::string to_markdown(Report report) {
  name_sources(report);
  std::string text;
  for (const Source& source : report.sources) {
    if (source.run) text += report::to_markdown(*source.run) + "\n";
    if (source.bench) text += report::to_markdown(*source.bench) + "\n";
    if (source.litmus) text += litmus_text(*source.litmus) + "\n";
  }
  return text + comparison_text(report);
}

std::string to_csv(Report report) {
  name_sources(report);
  std::string text = kHead;
  for (const Source& source : report.sources) {
    if (source.run) text += case_lines(source);
    if (source.bench) text += measurement_lines(source);
    if (source.litmus) text += litmus_lines(source);
  }
  return text;
}

}  // namespace assay::page
