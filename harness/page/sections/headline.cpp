// The top of the page: its heading with the worst verdict, the headline numbers, and the verdict on
// each subject.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "harness/page/data/cost.hpp"
#include "harness/page/data/steps.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

/// `FAILS on 1 of 4 subjects`
Markup of_runs(const std::vector<SubjectRun>& runs) {
  const auto worst = std::ranges::max_element(
      runs, {}, [](const SubjectRun& run) { return badness_of(run.subject->exit_code); });
  const report::SubjectRecord& subject = *worst->subject;
  const auto same = std::ranges::count_if(
      runs, [&](const SubjectRun& run) { return run.subject->verdict == subject.verdict; });
  const Markup mark = verdict_mark(subject.verdict, subject.exit_code);
  if (runs.size() == 1) return mark + ": " + worst->label;
  const auto all = static_cast<std::ptrdiff_t>(runs.size());
  return mark + (same == all ? fmt::format(": all {} subjects", all)
                             : fmt::format(": {} of {} subjects", same, all));
}

/// `Costs of reference, libtorch`, or what is compared.
Markup of_benches(const PageData& page_data) {
  if (page_data.benches.size() == 2 && page_data.compared.size() == 1 &&
      page_data.compared.front().found) {
    const auto& columns = page_data.compared.front().found->columns;
    if (columns.front().key.empty()) return columns[1].label + " against " + columns[0].label;
  }
  std::set<std::string> devices;
  for (const Bench& bench : page_data.benches) {
    for (const auto& device : bench.record->environment.devices) devices.insert(device.name);
  }
  return "Costs of " + some_of(timed_subjects(page_data)) +
         (devices.empty() ? "" : " on " + some_of(devices));
}

std::string day_of(const std::string& started) { return started.substr(0, 10); }

struct Origin {
  std::set<std::string> devices, machines, days, builds;

  void add(const std::string& machine, const std::string& started, const std::string& build) {
    machines.insert(machine);
    days.insert(day_of(started));
    builds.insert(build);
  }
};

std::string short_name(const std::string& cpu, std::int64_t cores) {
  return fmt::format("{}, {} cores", cpu, cores);
}

std::string build_of(const std::string& version, const std::string& revision) {
  return fmt::format("assay {} at {}", version, revision.substr(0, 12));
}

/// A bench describes its machine better than a run does, or has the user's name for it.
Origin origin_of(const Report& report) {
  Origin origin;
  std::map<std::string, std::string> names;
  for (const Source& source : report.sources) {
    if (!source.bench) continue;
    const report::BenchMeta& meta = source.bench->meta;
    const report::BenchEnvironment& machine = source.bench->environment;
    origin.add(machine.machine, meta.started, build_of(meta.build.tool, meta.build.revision));
    names.emplace(short_name(machine.cpu, machine.cores), machine.machine);
    for (const report::BenchDevice& device : machine.devices) origin.devices.insert(device.name);
  }
  for (const Source& source : report.sources) {
    if (!source.run) continue;
    const report::Environment& machine = source.run->environment;
    const std::string name = short_name(machine.cpu, machine.cores);
    const auto named = names.find(name);
    origin.add(named == names.end() ? name : named->second, source.run->started,
               build_of(machine.version, machine.revision));
  }
  return origin;
}

}  // namespace

std::set<std::string> timed_subjects(const PageData& page_data) {
  std::set<std::string> subjects;
  for (const Bench& bench : page_data.benches) {
    for (const report::BenchSubject& subject : bench.record->subjects)
      if (!subject.copy_of) subjects.insert(subject.id);
  }
  return subjects;
}

int badness_of(int exit_code) {
  if (exit_code == 0) return 0;
  return exit_code == 1 || exit_code == 3 ? 2 : 1;
}

std::vector<const SubjectRun*> worst_first(const std::vector<SubjectRun>& runs) {
  std::vector<const SubjectRun*> sorted;
  for (const SubjectRun& run : runs) sorted.push_back(&run);
  if (runs.size() > kMostOpenRows) {
    std::ranges::stable_sort(sorted, std::greater{}, [](const SubjectRun* run) {
      return badness_of(run->subject->exit_code);
    });
  }
  return sorted;
}

Markup headline(const PageData& page_data) {
  if (!page_data.runs.empty()) return of_runs(page_data.runs);
  if (!page_data.benches.empty()) return of_benches(page_data);
  return "Litmus programs";
}

std::string provenance(const Report& report) {
  const Origin origin = origin_of(report);
  std::string text = counted(report.sources.size(), "record");
  const auto add = [&text](const std::set<std::string>& values, const char* noun) {
    if (values.size() == 1) text += " · " + *values.begin();
    if (values.size() > 1) text += " · " + counted(values.size(), noun);
  };
  add(origin.devices, "GPU model");
  add(origin.machines, "machine");
  add(origin.days, "day");
  add(origin.builds, "build");
  return text;
}

// The headline numbers of a record of costs.

namespace {

using report::BenchMeasurement;

struct Headline {
  const char* quantity;
  const char* name;  ///< the case with the axes that matter
  const char* words;
};

constexpr std::array<Headline, 6> kHeadlines{{
    {"host.dispatch_ns", "dispatch/typed/tensors=1", "A typed call through the dispatcher"},
    {"instr.count", "dispatch/typed/tensors=1", "A typed call through the dispatcher"},
    {"host.launch_ns", "launch/kernel", "A launch"},
    {"host.submit_ns", "submit/kernel", "A launch, one of many before a wait"},
    {"e2e.sync_ns", "sync/kernel", "A launch and the wait for it"},
    {"graph.node_ns", "graph/kernel", "A node of a replayed graph"},
}};

Markup number_of(const Bench& bench, const BenchMeasurement& measured) {
  const double center = *measured.center;
  Markup text =
      Markup(measured.subject) + " " +
      link_to_measurement(bench, measured,
                          fmt::format("{}\u00a0{}", number_text(measured), measured.unit));
  const std::string interval = interval_text(center, measured.interval);
  if (!interval.empty()) text += element("span", {{"class", "tag"}}, " (" + interval + ")");
  return text;
}

/// The first measurement of each subject.
Markup item_of(const Bench& bench, const Headline& headline) {
  Markup numbers;
  for (const report::BenchSubject& subject : bench.record->subjects) {
    const BenchMeasurement* measured =
        subject.copy_of ? nullptr : first_of(bench, subject.id, headline.quantity, headline.name);
    if (measured != nullptr)
      numbers += (numbers.empty() ? Markup() : Markup(", ")) + number_of(bench, *measured);
  }
  return numbers.empty() ? numbers : element("li", Markup(headline.words) + ": " + numbers);
}

/// The bandwidth of the largest unscale as a share of the largest copy.
Markup share_of_roof(const Bench& bench) {
  Markup items;
  for (const report::BenchSubject& subject : bench.record->subjects) {
    const BenchMeasurement* roof = report::roof_of(*bench.record, subject.id);
    if (roof == nullptr || subject.copy_of) continue;
    const BenchMeasurement* largest = nullptr;
    for (const BenchMeasurement& measured : bench.record->measurements) {
      if (measured.subject != subject.id || measured.case_name != "device/unscale") continue;
      if (!report::bandwidth_of(measured)) continue;
      if (largest == nullptr || *measured.bytes > *largest->bytes) largest = &measured;
    }
    if (largest == nullptr) continue;
    const double share = *report::bandwidth_of(*largest) / *report::bandwidth_of(*roof);
    items +=
        element("li", Markup("Unscale, the largest: ") + subject.id + " " +
                          link_to(anchor_of_measurement(bench, *largest),
                                  fmt::format("{:.0f}\u00a0% of the memory's roof", 100 * share)));
  }
  return items;
}

/// A step of Adam over many tensors, in any mode.
Markup steps(const Bench& bench) {
  Markup numbers;
  for (const TrainingStep& step : steps_of(bench)) {
    if (step.name != kTypicalStep) continue;
    numbers += (numbers.empty() ? Markup() : Markup(", ")) + step.subject + " " +
               link_to("scaler-step", fmt::format("{:g}\u00a0launches", step.all("launches")));
  }
  if (numbers.empty()) return {};
  return element("li", Markup("A training step, ") + kTypicalStep + ": " + numbers);
}

}  // namespace

Markup headlines_of(const Bench& bench) {
  Markup items;
  for (const Headline& headline : kHeadlines) items += item_of(bench, headline);
  items += share_of_roof(bench) + steps(bench);
  return items.empty() ? items : element("ul", items);
}

// The verdict: one row per subject.

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
