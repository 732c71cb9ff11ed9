// Compares the records of shards.
#include "harness/merge/same_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "harness/console/usage_error.hpp"
#include "harness/merge/merge.hpp"
#include "harness/merge/rebuilt.hpp"
#include "harness/run/journal.hpp"
#include "harness/run/overall.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", file, why));
}

/// The value has no end of its own: a list of filters may be long.
std::string shown(const std::string& value) {
  constexpr std::size_t kMost = 200;
  const std::string line = one_line(value);
  return line.size() <= kMost ? line : line.substr(0, kMost) + "…";
}

[[noreturn]] void refuse_pair(const std::string& what, const std::string& first_file,
                              const std::string& first, const std::string& file,
                              const std::string& now) {
  throw UsageError(fmt::format("these are not shards of one run: {} is '{}' in {}, and '{}' in {}",
                               what, shown(first), first_file, shown(now), file));
}

std::string progress_of(const report::SubjectRecord& subject) {
  return fmt::format("{} of {} cases of '{}' ran", subject.cases.size(), subject.planned,
                     one_line(subject.subject));
}

/// Records that no merge takes.
void check_whole(const std::string& file, const report::RunRecord& run) {
  if (!run.shards.empty()) refuse(file, "it is a merged record; name the records of the shards");
  if (run.exit_code != kExitInterrupted && run.parts.empty()) {
    refuse(file,
           "it lacks what a merge needs, because an older assay wrote it; run the shard again");
  }
  for (const report::SubjectRecord& subject : run.subjects) {
    if (subject.exit_code != kExitInterrupted) continue;
    refuse(file, fmt::format("its run was interrupted; {}. Finish it: the same command with "
                             "--resume and its journal",
                             progress_of(subject)));
  }
  if (run.exit_code == kExitInterrupted) {
    refuse(file,
           "its run was interrupted before its last subject. Finish it: the same command with "
           "--resume and its journal");
  }
  report::RunRecord judged = run;
  judge_parts(judged, true);
  if (judged.exit_code == run.exit_code && judged.verdict == run.verdict) return;
  refuse(file, fmt::format("its verdict is {} (exit {}), and its subjects make it {} (exit {})",
                           run.verdict, run.exit_code, judged.verdict, judged.exit_code));
}

Shard place_of(const ShardFile& shard) {
  if (shard.run.shard.empty()) return {};
  if (const auto place = shard_from_text(shard.run.shard)) return *place;
  refuse(shard.file, fmt::format("'{}' is not a shard", shard.run.shard));
}

std::string in_words(const std::vector<report::PartRecord>& parts, std::size_t index) {
  if (index >= parts.size()) return "";
  const report::PartRecord& part = parts[index];
  return fmt::format("{}{}{}", part.subject, part.recordings ? " (recorded)" : "",
                     part.by_default ? " by default" : "");
}

void check_parts(const PlacedShard& first, const PlacedShard& other) {
  const auto& before = first.run->parts;
  const auto& now = other.run->parts;
  for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
    const std::string one = in_words(before, i), two = in_words(now, i);
    const bool is_in_both = i < std::min(before.size(), now.size());
    if (one != two || !is_in_both) {
      refuse_pair(fmt::format("subject {}", i + 1), first.file, one, other.file, two);
    }
    const auto device = [](bool is_absent) { return is_absent ? "absent" : "present"; };
    if (before[i].absent == now[i].absent) continue;
    refuse_pair("the device of " + one, first.file, device(before[i].absent), other.file,
                device(now[i].absent));
  }
}

std::size_t size_of(const Shard& shard, std::size_t cases) {
  return cases < shard.index ? 0 : (cases - shard.index) / shard.count + 1;
}

/// A verdict that does not follow from the cases would become part of another verdict.
void check_verdict(const PartOfShard& part) {
  const report::SubjectRecord& record = *part.record;
  const auto contradicts = [&](const std::string& what) {
    refuse(part.file, fmt::format("'{}': {}", one_line(record.subject), what));
  };
  const std::size_t share = size_of(part.place, record.basis->cases);
  if (record.planned != share) {
    contradicts(fmt::format("{} cases are planned, and the shard {} of {} cases has {}",
                            record.planned, to_text(part.place), record.basis->cases, share));
  }
  if (record.cases.size() > record.planned) contradicts(progress_of(record));
  std::map<std::string, std::size_t> outcomes;
  for (const report::CaseRecord& test : record.cases) ++outcomes[test.outcome];
  if (outcomes != record.outcomes)
    contradicts("its numbers of outcomes are not those of its cases");
  const Tally tally = tally_of(record, *record.basis);
  if (tally.exit_code() == record.exit_code && tally.verdict() == record.verdict) return;
  contradicts(fmt::format("its verdict is {} (exit {}), and its cases make it {} (exit {})",
                          record.verdict, record.exit_code, tally.verdict(), tally.exit_code()));
}

/// The names in which a difference explains others.
constexpr std::array<const char*, 5> kFirstNames{"program", "subject", "subject's program", "hello",
                                                 "contract"};

void check_key(const PartOfShard& first, const PartOfShard& other) {
  const std::map<std::string, std::string>& before = first.record->basis->key;
  std::map<std::string, std::string> now = other.record->basis->key;
  const auto value_in = [](const auto& key, const std::string& name) {
    const auto found = key.find(name);
    return found == key.end() ? std::string() : found->second;
  };
  const auto check = [&](const std::string& name) {
    const std::string one = value_in(before, name), two = value_in(now, name);
    if (one != two) refuse_pair("the " + name, first.file, one, other.file, two);
  };
  for (const char* name : kFirstNames) check(name);
  for (const auto& [name, value] : before) check(name);
  for (const auto& [name, value] : now) check(name);
}

void check_equal(const PartOfShard& first, const PartOfShard& other, const char* what,
                 const std::string& before, const std::string& now) {
  if (before != now) refuse_pair(what, first.file, before, other.file, now);
}

std::string options_in_words(const report::Basis& basis) {
  return fmt::format("--strict-end {}, --strict-waivers {}, --partial {}", basis.strict_end,
                     basis.strict_waivers, basis.partial);
}

std::string in_words(const std::vector<report::WaiverRecord>& waivers, std::size_t index) {
  if (index >= waivers.size()) return "none";
  const report::WaiverRecord& waiver = waivers[index];
  return fmt::format("{} of '{}' until {}", waiver.place, waiver.cases, waiver.expires);
}

void check_waivers(const PartOfShard& first, const PartOfShard& other) {
  const auto& before = first.record->basis->waivers;
  const auto& now = other.record->basis->waivers;
  if (before == now) return;
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(before, now).in1 - before.begin());
  const std::string one = in_words(before, at), two = in_words(now, at);
  if (one != two) refuse_pair("a waiver", first.file, one, other.file, two);
  throw UsageError(fmt::format(
      "these are not shards of one run: the waiver {} has another text in {} than in {}", one,
      first.file, other.file));
}

void check_same(const PartOfShard& first, const PartOfShard& other) {
  check_key(first, other);
  check_equal(first, other, "the list of options", options_in_words(*first.record->basis),
              options_in_words(*other.record->basis));
  check_waivers(first, other);
  const bool is_same = *first.record->basis == *other.record->basis &&
                       first.record->not_applicable == other.record->not_applicable;
  if (is_same) return;
  throw UsageError(fmt::format(
      "these are not shards of one run: {} and {} disagree about what '{}' lacks, or is excused of",
      first.file, other.file, one_line(first.record->subject)));
}

void check_basis(const PlacedShard& shard, const report::SubjectRecord& record) {
  if (record.basis) return;
  const std::string why = record.lost.empty()
                              ? "it lacks what a merge needs, because an older assay wrote it"
                              : "it was given up before its first case: " + record.lost;
  refuse(shard.file,
         fmt::format("'{}': {}; run the shard again", one_line(record.subject), one_line(why)));
}

/// The record of the part; `next` counts the records of the file that are taken. Parts that were
/// left out have none.
std::optional<PartOfShard> part_in(const PlacedShard& shard, const report::PartRecord& part,
                                   std::size_t& next) {
  const auto& subjects = shard.run->subjects;
  if (next >= subjects.size() || subjects[next].subject != part.subject) return std::nullopt;
  const report::SubjectRecord& record = subjects[next++];
  check_basis(shard, record);
  return PartOfShard{shard.file, shard.place, shard.run->started, &record};
}

/// A shard may lack a part only if it has no case of it.
void check_lack(const PlacedShard& shard, const std::vector<PartOfShard>& found) {
  if (found.empty()) return;
  const auto has = [&](const PartOfShard& part) { return part.file == shard.file; };
  if (std::ranges::any_of(found, has)) return;
  const report::SubjectRecord& record = *found.front().record;
  if (size_of(shard.place, record.basis->cases) == 0) return;
  refuse(shard.file, fmt::format("it lacks the subject '{}', which {} has",
                                 one_line(record.subject), found.front().file));
}

void check_program(const PartOfShard& part) {
  const auto program = part.record->basis->key.find("program");
  const std::string mine = build_in_words();
  if (program != part.record->basis->key.end() && program->second == mine) return;
  throw UsageError(fmt::format(
      "{} was written by assay {}, and this is assay {}: merge with the program that ran the "
      "shards",
      part.file, program == part.record->basis->key.end() ? "?" : one_line(program->second), mine));
}

}  // namespace

std::vector<PlacedShard> placed(const std::vector<ShardFile>& files) {
  std::vector<PlacedShard> shards;
  for (const ShardFile& file : files) {
    check_whole(file.file, file.run);
    shards.push_back({file.file, place_of(file), &file.run});
    const PlacedShard& first = shards.front();
    const std::size_t count = shards.back().place.count;
    if (count == first.place.count) continue;
    refuse_pair("the number of shards", first.file, std::to_string(first.place.count), file.file,
                std::to_string(count));
  }
  std::ranges::stable_sort(shards, {}, [](const PlacedShard& shard) { return shard.place.index; });
  return shards;
}

std::vector<std::vector<PartOfShard>> parts_of_one_run(const std::vector<PlacedShard>& shards) {
  for (const PlacedShard& shard : shards) check_parts(shards.front(), shard);
  std::vector<std::vector<PartOfShard>> parts(shards.front().run->parts.size());
  for (const PlacedShard& shard : shards) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (auto part = part_in(shard, shard.run->parts[i], next)) parts[i].push_back(*part);
    }
    if (next < shard.run->subjects.size()) {
      refuse(shard.file, fmt::format("it has the subject '{}', which was not asked for",
                                     one_line(shard.run->subjects[next].subject)));
    }
  }
  for (const std::vector<PartOfShard>& part : parts) {
    if (!part.empty()) check_program(part.front());
    for (const PartOfShard& other : part) check_same(part.front(), other);
    for (const PartOfShard& other : part) check_verdict(other);
    for (const PlacedShard& shard : shards) check_lack(shard, part);
  }
  return parts;
}

void refuse_overlap(const std::string& case_id, const std::string& other_file,
                    const PartOfShard& shard) {
  refuse(shard.file, fmt::format("its case {} is also in {}, which is another shard",
                                 one_line(case_id), other_file));
}

}  // namespace assay
