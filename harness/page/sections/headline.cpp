// The page's heading: the worst verdict, and the contents of the page.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

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

}  // namespace assay::page
