// Counting and grouping.
#include "harness/page/material/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "harness/page/markup/svg.hpp"

namespace assay::page {
namespace {

void count(SubjectRun& run) {
  for (const report::CaseRecord& test : run.subject->cases) {
    run.tally.add(test);
    run.areas[area_of(test)].add(test);
    run.contracts[test.contract].add(test);
    run.by_both[{area_of(test), test.contract}].add(test);
  }
}

void tell_apart(std::vector<SubjectRun>& runs) {
  std::map<std::string, int> times;
  for (const SubjectRun& run : runs) ++times[run.label];
  for (SubjectRun& run : runs) {
    if (times[run.label] > 1) run.label += fmt::format(" ({})", run.source->name);
  }
}

}  // namespace

void Tally::add(const report::CaseRecord& test) {
  ++outcomes[test.outcome];
  ++all;
  if (report::spoils(test)) ++spoiled;
  if (test.outcome == "unsupported" && test.excused) ++excused;
}

std::size_t Tally::of(std::string_view outcome) const {
  const auto found = outcomes.find(outcome);
  return found == outcomes.end() ? 0 : found->second;
}

std::vector<SubjectRun> subject_runs(const Report& report) {
  std::vector<SubjectRun> runs;
  for (const Source& source : report.sources) {
    if (!source.run) continue;
    for (const report::SubjectRecord& subject : source.run->subjects) {
      runs.push_back({&source, &subject, runs.size(), subject.subject, {}, {}, {}, {}});
      count(runs.back());
    }
  }
  tell_apart(runs);
  return runs;
}

std::string area_of(const report::CaseRecord& test) { return test.id.substr(0, test.id.find('/')); }

std::vector<FailureGroup> failures_of(const std::vector<SubjectRun>& runs) {
  using Key =
      std::tuple<std::size_t, std::string, std::string, std::string, std::string, std::string>;
  std::vector<FailureGroup> groups;
  std::map<Key, std::size_t> places;
  for (const SubjectRun& run : runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      if (!report::spoils(test)) continue;
      const Key key{run.number, test.id, test.outcome, test.sentence, test.expected, test.got};
      const auto [place, is_new] = places.emplace(key, groups.size());
      if (is_new) groups.push_back({&run, &test, fmt::format("failure-{}", groups.size() + 1), {}});
      groups[place->second].contracts.push_back(test.contract);
    }
  }
  for (FailureGroup& group : groups) std::ranges::sort(group.contracts, ByVersion());
  return groups;
}

Markup tally_bar(const Tally& tally) {
  const std::size_t odd = tally.of("flaky"), waived = tally.of("waived");
  std::string words;
  for (const auto& [outcome, count] : tally.outcomes) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, outcome);
  }
  return stacked_bar({{static_cast<double>(tally.of("pass")), colour::kGood},
                      {static_cast<double>(tally.spoiled - odd), colour::kBad},
                      {static_cast<double>(odd), colour::kOdd},
                      {static_cast<double>(waived), colour::kWaived},
                      {static_cast<double>(tally.excused), colour::kQuiet}},
                     {"Outcomes", fmt::format("Of {} cases: {}", tally.all, words)});
}

std::string first_failure(const std::vector<FailureGroup>& failures, const SubjectRun& run,
                          std::string_view area, std::string_view contract) {
  for (const FailureGroup& failure : failures) {
    if (failure.run != &run) continue;
    const bool is_there = area.empty() || area_of(*failure.test) == area;
    const bool is_then = contract.empty() ||
                         std::ranges::find(failure.contracts, contract) != failure.contracts.end();
    if (is_there && is_then) return failure.anchor;
  }
  return {};
}

std::string anchor_of_run(const SubjectRun& run) {
  return fmt::format("subject-{}", run.number + 1);
}
std::string anchor_of_area(const std::string& area) { return anchor_of("area", area); }
std::string anchor_of_case(std::string_view id) { return anchor_of("case", id); }
std::string anchor_of_clause(std::string_view id) { return anchor_of("clause", id); }

}  // namespace assay::page
