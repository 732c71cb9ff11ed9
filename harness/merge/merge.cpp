// Checks that records belong together, and unites their results.
#include "harness/merge/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/console/usage_error.hpp"
#include "harness/merge/same_run.hpp"
#include "harness/run/journal.hpp"
#include "harness/suite/unsupported_case.hpp"
#include "harness/text/neutral.hpp"

namespace assay {
namespace {

/// The results of one case, each with the file that has it.
struct Sighting {
  std::size_t shard = 0;
  std::string file;
  CaseResult result;
};
using CaseKey = std::pair<std::string, std::string>;

int rank(const CaseResult& result) {
  return result.spoils() ? 2 : result.outcome == Outcome::kPass ? 0 : 1;
}

bool agree(const CaseResult& left, const CaseResult& right) {
  return std::tuple(left.outcome, left.excused, left.required) ==
         std::tuple(right.outcome, right.excused, right.required);
}

/// One result for all records of a shard. The first failure is shown, as for repeated runs.
CaseResult united(std::vector<Sighting> all) {
  const auto worst =
      std::ranges::max_element(all, {}, [](const Sighting& one) { return rank(one.result); });
  const auto differs = [&](const Sighting& one) { return !agree(one.result, all.front().result); };
  if (std::ranges::none_of(all, differs)) return std::move(all.front().result);
  std::vector<std::string> outcomes;
  for (const Sighting& one : all) {
    outcomes.push_back(fmt::format("{} in {}", name_of(one.result.outcome), one.file));
  }
  CaseResult result = std::move(worst->result);
  result.failure->sentence = fmt::format("its shard was run {} times: {}: {}", all.size(),
                                         fmt::join(outcomes, ", "), result.failure->sentence);
  // An error of the harness is always reported, however rare.
  if (result.outcome != Outcome::kInternal) result.outcome = Outcome::kFlaky;
  return result;
}

/// Collects the results of one part.
class Union {
 public:
  Union(const std::vector<PartOfShard>& shards, bool has_recordings, MergedRun& merged)
      : shards_(shards), has_recordings_(has_recordings), merged_(merged) {}

  SubjectRun run(const std::vector<std::string>& missing) {
    const report::SubjectRecord& first = *shards_.front().record;
    SubjectRun run = without_results(first, *first.basis);
    for (const PartOfShard& shard : shards_) add(shard, run);
    run.tally.missing_shards = missing;
    run.tally.narrowed = run.rules.narrowed;
    if (!missing.empty()) run.tally.narrowed.merge(all_areas());
    WaiverPolicy waivers(run.rules.waivers, latest_day());
    waivers.set_subject(run.subject, run.info);
    for (auto& [key, seen] : seen_) {
      if (!missing.empty()) run.tally.narrowed.insert(area_of_case(key.first));
      run.results.push_back(united(std::move(seen)));
      waivers.judge(run.results.back());
    }
    sort(run);
    if (missing.empty()) check_list(run, *first.basis);
    conclude(run, waivers);
    note_end(run);
    return run;
  }

 private:
  void add(const PartOfShard& shard, SubjectRun& run) {
    const report::SubjectRecord& record = *shard.record;
    for (const report::CaseRecord& test : record.cases) {
      CaseResult result = result_of(test, has_recordings_, merged_.cases);
      run.recorded.emplace(result.test, test);
      std::vector<Sighting>& seen = seen_[{test.id, test.contract}];
      if (!seen.empty() && seen.back().shard != shard.place.index) {
        refuse_overlap(test.id, seen.back().file, shard);
      }
      seen.push_back({shard.place.index, shard.file, std::move(result)});
    }
    run.tally.duration += std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(record.seconds));
    run.remarks.insert(run.remarks.end(), record.remarks.begin(), record.remarks.end());
    if (record.lost.empty() || !run.tally.lost.empty()) return;
    run.tally.lost = shard.place.count == 1
                         ? record.lost
                         : fmt::format("in the shard {}: {}", to_text(shard.place), record.lost);
    run.tally.changed = record.exit_code == kExitFailure;
    run.last_words = record.last_words;
  }

  std::chrono::year_month_day latest_day() const {
    std::string latest;
    for (const PartOfShard& shard : shards_) latest = std::max(latest, shard.started);
    return day_from_text(latest.substr(0, latest.find('T'))).value_or(today_utc());
  }

  /// Numbers of cases that fit do not show that they are the cases that were to run.
  static void check_list(const SubjectRun& run, const report::Basis& basis) {
    if (run.results.size() != basis.cases) return;  // whoever has too few cases does not pass
    std::vector<Task> tasks;
    for (const CaseResult& result : run.results) tasks.push_back({result.test, result.contract});
    const auto listed = basis.key.find(kListOfCases);
    if (listed != basis.key.end() && listed->second == cases_in_words(tasks)) return;
    throw UsageError(
        fmt::format("these are not the shards of a run: '{}' has {} cases in them, and they are "
                    "not those of its list",
                    one_line(run.subject), tasks.size()));
  }

  /// In the order of the plan: by id, then as the subject prefers its contracts.
  static void sort(SubjectRun& run) {
    const auto place_of = [&](const CaseResult& result) {
      return std::ranges::find(run.contracts, result.contract) - run.contracts.begin();
    };
    std::ranges::stable_sort(run.results, {}, [&](const CaseResult& result) {
      return std::tuple(result.test->id, place_of(result));
    });
  }

  /// Cases may only be missing for a reason that the verdict has.
  static void note_end(SubjectRun& run) {
    Tally& tally = run.tally;
    const bool has_reason = !tally.missing_shards.empty() || !tally.lost.empty() ||
                            std::ranges::any_of(run.results, &CaseResult::spoils);
    tally.interrupted = tally.ran() < tally.planned && !has_reason;
  }

  const std::vector<PartOfShard>& shards_;
  bool has_recordings_;
  MergedRun& merged_;
  std::map<CaseKey, std::vector<Sighting>> seen_;
};

report::RunRecord head_of(const std::vector<PlacedShard>& shards) {
  const report::RunRecord& first = *shards.front().run;
  report::RunRecord head;
  head.seed = first.seed;
  head.started = first.started;
  head.environment = first.environment;
  head.parts = first.parts;
  for (const PlacedShard& shard : shards) {
    head.started = std::min(head.started, shard.run->started);
    head.shuffled = head.shuffled || shard.run->shuffled;
    if (shard.run->seed != first.seed) head.seed = 0;
    head.shards.push_back(
        {to_text(shard.place), shard.run->argv, shard.run->started, shard.run->environment});
  }
  return head;
}

/// Those without a record.
std::vector<std::string> missing_in(const std::vector<PlacedShard>& shards) {
  std::set<std::size_t> there;
  for (const PlacedShard& shard : shards) there.insert(shard.place.index);
  std::vector<std::string> missing;
  const std::size_t count = shards.front().place.count;
  for (std::size_t index = 1; index <= count; ++index) {
    if (!there.contains(index)) missing.push_back(to_text(Shard{index, count}));
  }
  return missing;
}

std::vector<std::string> repeated_in(const std::vector<PlacedShard>& shards) {
  std::map<std::size_t, std::vector<std::string>> files;
  for (const PlacedShard& shard : shards) files[shard.place.index].push_back(shard.file);
  std::vector<std::string> sentences;
  for (const auto& [index, names] : files) {
    if (names.size() == 1) continue;
    sentences.push_back(fmt::format("the shard {} is in {}",
                                    to_text(Shard{index, shards.front().place.count}),
                                    fmt::join(names, " and ")));
  }
  return sentences;
}

}  // namespace

MergedRun merge(std::vector<ShardFile> files) {
  const std::vector<PlacedShard> shards = placed(files);
  const std::vector<std::vector<PartOfShard>> parts = parts_of_one_run(shards);
  const std::vector<std::string> missing = missing_in(shards);
  MergedRun merged;
  merged.head = head_of(shards);
  merged.remarks = repeated_in(shards);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const report::PartRecord& asked = merged.head.parts[i];
    SubjectRun run = Union(parts[i], asked.recordings, merged).run(missing);
    merged.parts.push_back({asked, std::move(run)});
  }
  return merged;
}

}  // namespace assay
