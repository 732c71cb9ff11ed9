// Counts and groups results.
#include "harness/page/data/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

#include "harness/page/markup/svg.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {
namespace {

void count(SubjectRun& run) {
  for (const report::CaseRecord& test : run.subject->cases) {
    const std::string area(area_of(test));
    run.tally.add(test);
    run.areas[area].add(test);
    run.contracts[test.contract].add(test);
    run.by_both[{area, test.contract}].add(test);
  }
}

void distinguish_labels(std::vector<SubjectRun>& runs) {
  std::map<std::string, int> times;
  for (const SubjectRun& run : runs) ++times[run.label];
  for (SubjectRun& run : runs) {
    if (times[run.label] > 1) run.label += fmt::format(" ({})", run.source->name);
  }
}

void add_place(FailureGroup& group, const SubjectRun& run, const std::string& contract) {
  if (group.places.empty() || group.places.back().run != &run) group.places.push_back({&run, {}});
  group.places.back().contracts.push_back(contract);
}

/// The approximate size of a card in the page: its texts, and those of its clauses.
std::size_t weight_of(const report::CaseRecord& test) {
  static constexpr std::size_t kMostOfAText = 3000;
  std::size_t weight = 1500;
  const auto add = [&weight](const std::string& text) {
    weight += std::min(text.size(), kMostOfAText);
  };
  for (const std::string* text : {&test.sentence, &test.expected, &test.got, &test.last_words})
    add(*text);
  for (const auto& [command, reply] : test.program) {
    add(command);
    add(reply);
  }
  for (const std::string& id : test.clauses) {
    if (const Clause* clause = find_clause(id)) add(clause->text);
  }
  return weight;
}

/// Failures with equal case, outcome and texts are grouped.
using FailureKey = std::array<std::string_view, 5>;

struct HashOfFailure {
  std::size_t operator()(const FailureKey& key) const {
    std::size_t hash = 0;
    for (const std::string_view text : key)
      hash = hash * 1'000'003 + std::hash<std::string_view>()(text);
    return hash;
  }
};

/// Limits the number of cards, for the reader and for the size of the page.
void choose_cards(std::vector<FailureGroup>& groups) {
  constexpr std::size_t kMostCards = 100, kRoom = 1'000'000;
  std::size_t cards = 0, used = 0;
  for (FailureGroup& group : groups) {
    for (auto& place : group.places) std::ranges::sort(place.contracts, ByVersion());
    group.is_card = cards < kMostCards && used < kRoom;
    if (group.is_card) used += weight_of(*group.test);
    group.anchor =
        group.is_card ? fmt::format("failure-{}", ++cards) : anchor_of("failed", group.test->id);
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
  distinguish_labels(runs);
  return runs;
}

std::string_view area_of(const report::CaseRecord& test) {
  return std::string_view(test.id).substr(0, test.id.find('/'));
}

std::vector<FailureGroup> failures_of(const std::vector<SubjectRun>& runs) {
  std::vector<FailureGroup> groups;
  std::unordered_map<FailureKey, std::size_t, HashOfFailure> places;
  for (const SubjectRun& run : runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      if (!report::spoils(test)) continue;
      const FailureKey key{test.id, test.outcome, test.sentence, test.expected, test.got};
      const auto [place, is_new] = places.emplace(key, groups.size());
      if (is_new) groups.push_back({&test, "", {}});
      add_place(groups[place->second], run, test.contract);
    }
  }
  std::ranges::stable_sort(groups, {}, &FailureGroup::reach);
  choose_cards(groups);
  return groups;
}

std::vector<BrokenClause> broken_clauses_of(const std::vector<FailureGroup>& failures) {
  std::map<std::string, BrokenClause, ByVersion> clauses;
  for (const FailureGroup& failure : failures) {
    for (const std::string& id : failure.test->clauses) {
      auto found = clauses.find(id);
      if (found == clauses.end())
        found = clauses.emplace(id, BrokenClause{id, {}, {}, failure.anchor}).first;
      BrokenClause& broken = found->second;
      for (const auto& place : failure.places) broken.subjects.insert(place.run->label);
      broken.cases.insert(failure.test->id);
    }
  }
  std::vector<BrokenClause> all;
  for (auto& [id, broken] : clauses) all.push_back(std::move(broken));
  return all;
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

FirstFailures::FirstFailures(const std::vector<FailureGroup>& failures) {
  for (const FailureGroup& failure : failures) {
    const std::string_view area = area_of(*failure.test);
    for (const FailureGroup::Place& place : failure.places) {
      const std::size_t run = place.run->number;
      anchors_.emplace(Key{run, "", ""}, failure.anchor);
      anchors_.emplace(Key{run, area, ""}, failure.anchor);
      for (const std::string& contract : place.contracts) {
        anchors_.emplace(Key{run, "", contract}, failure.anchor);
        anchors_.emplace(Key{run, area, contract}, failure.anchor);
      }
    }
  }
}

std::string FirstFailures::anchor(const SubjectRun& run, std::string_view area,
                                  std::string_view contract) const {
  const auto found = anchors_.find(Key{run.number, area, contract});
  return found == anchors_.end() ? std::string() : std::string(found->second);
}

std::string anchor_of_run(const SubjectRun& run) {
  return fmt::format("subject-{}", run.number + 1);
}
std::string anchor_of_area(const std::string& area) { return anchor_of("area", area); }
std::string anchor_of_case(std::string_view id) { return anchor_of("case", id); }
std::string anchor_of_clause(std::string_view id) { return anchor_of("clause", id); }

}  // namespace assay::page
