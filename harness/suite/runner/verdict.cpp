// Counts outcomes and formats the verdict.
#include "harness/suite/runner/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "harness/suite/clauses.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

template <typename Test>
std::vector<std::string> areas_where(const Tally& tally, Test&& test) {
  std::vector<std::string> found;
  for (const auto& [area, counts] : tally.areas) {
    if (test(area, counts)) found.push_back(area);
  }
  return found;
}

bool is_full(const Tally& tally, const std::string& area, const AreaTally& counts) {
  return counts.passed > 0 && counts.other == 0 && counts.unanswered == 0 &&
         !tally.narrowed.contains(area) && !tally.stale.contains(area);
}

std::string conforming(const Tally& tally) {
  const std::vector<std::string> full = tally.in_full();
  const std::vector<std::string> part = tally.in_part();
  std::string text = fmt::format(" in {}", fmt::join(full, ", "));
  if (part.empty()) return text;
  return fmt::format("{}{}part of {}", text, full.empty() ? "" : " and ", fmt::join(part, ", "));
}

/// The verdict's word, and the areas to which it applies.
std::string heading(const Tally& tally) {
  std::string text(tally.verdict());
  if (tally.verdict() == verdict_of(kExitIncomplete)) {
    const std::vector<std::string> open = tally.incomplete();
    if (!open.empty()) text += fmt::format(" in {}", fmt::join(open, ", "));
    if (tally.exit_code() == kExitOk) text += ", as --partial allows";
  } else if (tally.exit_code() == kExitOk) {
    text += conforming(tally);
  }
  if (const ProfileTally& profile = tally.profile; !profile.name.empty()) {
    text += fmt::format(" (profile {}: {} of {} cases)", profile.name, profile.judged, profile.all);
  }
  return text + ":";
}

std::string missing_in_words(const std::vector<std::string>& shards) {
  if (shards.empty()) return "";
  constexpr std::size_t kMost = 8;
  const std::span named = std::span(shards).first(std::min(kMost, shards.size()));
  std::string text =
      fmt::format(", without shard{} {}", shards.size() == 1 ? "" : "s", fmt::join(named, ", "));
  if (shards.size() > kMost) text += fmt::format(" and {} more", shards.size() - kMost);
  return text;
}

std::string unsupported_in_words(const Tally& tally) {
  std::string text = fmt::format(", {} unsupported", tally.of(Outcome::kUnsupported));
  const std::size_t unexcused = tally.unanswered + tally.required;
  if (unexcused > 0) text += fmt::format(" ({} not excused)", unexcused);
  return text;
}

std::string outcomes_in_words(const Tally& tally) {
  std::string text;
  for (int i = 1; i < kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (tally.of(outcome) == 0) continue;
    text += outcome == Outcome::kUnsupported
                ? unsupported_in_words(tally)
                : fmt::format(", {} {}", tally.of(outcome), name_of(outcome));
    if (outcome == Outcome::kWaived && tally.covered > 0) {
      text += fmt::format(" of {} that waivers cover", tally.covered);
    }
  }
  return text;
}

}  // namespace

std::string_view word_of(int exit_code) {
  switch (exit_code) {
    case kExitOk:
      return "PASS";
    case kExitFailure:
      return "FAIL";
    case kExitUsage:
      return "USAGE ERROR";
    case kExitIncomplete:
      return "INCOMPLETE";
    case kExitNothingRan:
      return "NOTHING RAN";
    case kExitWaivers:
      return "WAIVER PROBLEM";
    case kExitAbsent:
      return "DEVICE ABSENT";
    case kExitInterrupted:
      return "INTERRUPTED";
    default:
      return "INTERNAL ERROR";
  }
}

std::string_view verdict_of(int exit_code) {
  if (exit_code == kExitOk) return "CONFORMS";
  return exit_code == kExitFailure ? "FAILS" : word_of(exit_code);
}

void Tally::add(const CaseResult& result) {
  ++outcomes[static_cast<std::size_t>(result.outcome)];
  AreaTally& area = areas[area_of_case(result.test->id)];
  const bool passed = result.outcome == Outcome::kPass;
  ++(passed ? area.passed : result.is_unanswered() ? area.unanswered : area.other);
  if (result.outcome == Outcome::kUnsupported) {
    if (result.is_unanswered()) ++unanswered;
    if (result.spoils()) ++required;
    return;
  }
  witnessed.insert(result.test->clauses.begin(), result.test->clauses.end());
}

std::size_t Tally::ran() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::size_t{0});
}

std::size_t Tally::all_stale() const {
  std::size_t count = 0;
  for (const auto& [area, stale_ones] : stale) count += stale_ones;
  return count;
}

int Tally::exit_code() const {
  if (interrupted) return kExitInterrupted;
  if (of(Outcome::kInternal) > 0 || (!lost.empty() && !changed)) return kExitInternal;
  const std::size_t bad = of(Outcome::kFail) + of(Outcome::kCrash) + of(Outcome::kTimeout) +
                          of(Outcome::kFlaky) + required;
  if (bad > 0 || changed || (strict_end && bad_ends > 0)) return kExitFailure;
  if (strict_waivers && waiver_findings > 0) return kExitWaivers;
  // Waived and unsupported cases alone are no evidence of conformance.
  if (of(Outcome::kPass) == 0) return kExitNothingRan;
  const bool is_allowed = partial && missing_shards.empty();
  return is_incomplete() && !is_allowed ? kExitIncomplete : kExitOk;
}

std::string_view Tally::verdict() const {
  const int code = exit_code();
  return verdict_of(code == kExitOk && is_incomplete() ? kExitIncomplete : code);
}

std::vector<std::string> Tally::in_full() const {
  return areas_where(*this, [this](const std::string& area, const AreaTally& counts) {
    return is_full(*this, area, counts);
  });
}

std::vector<std::string> Tally::in_part() const {
  return areas_where(*this, [this](const std::string& area, const AreaTally& counts) {
    return counts.passed > 0 && !is_full(*this, area, counts);
  });
}

std::vector<std::string> Tally::incomplete() const {
  std::set<std::string> open;
  for (const auto& [area, counts] : areas) {
    if (counts.unanswered > 0) open.insert(area);
  }
  for (const auto& [area, count] : stale) open.insert(area);
  return {open.begin(), open.end()};
}

ClauseCount count_clauses(const Tally& tally, const SubjectInfo& info, bool whole_run) {
  ClauseCount count;
  for (const Clause& clause : all_clauses()) {
    const bool mine =
        std::find(info.areas.begin(), info.areas.end(), clause.area) != info.areas.end();
    if (!mine || !is_offered(clause) || clause.witness != Witness::kWaist) continue;
    ++count.all;
    const bool is_witnessed = tally.witnessed.count(clause.id) > 0;
    count.witnessed += is_witnessed ? 1 : 0;
    if (whole_run && !is_witnessed) count.holes.push_back(clause.id);
  }
  return count;
}

std::string verdict_line(const std::string& subject, const Tally& tally,
                         const ClauseCount& clauses) {
  std::string line = fmt::format("{} {} of {} cases pass on {}", heading(tally),
                                 tally.of(Outcome::kPass), tally.planned, subject);
  line += outcomes_in_words(tally);
  if (tally.waiver_findings > 0) {
    line += fmt::format(", {} finding{} about waivers", tally.waiver_findings,
                        tally.waiver_findings == 1 ? "" : "s");
  }
  if (tally.not_applicable > 0) line += fmt::format(", {} not applicable", tally.not_applicable);
  if (tally.unclaimed > 0) line += fmt::format(", {} of unclaimed areas", tally.unclaimed);
  if (!tally.stale.empty()) line += fmt::format(", {} stale", tally.all_stale());
  if (tally.ran() < tally.planned) {
    line += fmt::format(", {} not run", tally.planned - tally.ran());
  }
  line += missing_in_words(tally.missing_shards);
  if (tally.strict_end && tally.bad_ends > 0) line += "; the subject did not end with status 0";
  if (!tally.lost.empty()) line += "; the subject was given up: " + tally.lost;
  line += fmt::format("; {} of {} clauses witnessed", clauses.witnessed, clauses.all);
  if (const std::size_t holes = clauses.holes.size(); holes > 0) {
    line += fmt::format(" ({} hole{})", holes, holes == 1 ? "" : "s");
  }
  line += fmt::format("; {:.1f} s", std::chrono::duration<double>(tally.duration).count());
  return line;
}

}  // namespace assay
