// Counting outcomes and putting the verdict into words.
#include "harness/suite/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/suite/clauses.hpp"

namespace assay {

std::string_view word_of(int exit_code) {
  switch (exit_code) {
    case kExitOk:
      return "PASS";
    case kExitFailure:
      return "FAIL";
    case kExitUsage:
      return "USAGE ERROR";
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

void Tally::add(const CaseResult& result) {
  ++outcomes[static_cast<std::size_t>(result.outcome)];
  if (result.outcome == Outcome::kUnsupported) {
    if (!result.excused) ++unexcused;
    return;
  }
  witnessed.insert(result.test->clauses.begin(), result.test->clauses.end());
}

std::size_t Tally::ran() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::size_t{0});
}

int Tally::exit_code() const {
  if (interrupted) return kExitInterrupted;
  if (of(Outcome::kInternal) > 0 || !lost.empty()) return kExitInternal;
  const std::size_t bad = of(Outcome::kFail) + of(Outcome::kCrash) + of(Outcome::kTimeout) +
                          of(Outcome::kFlaky) + unexcused;
  if (bad > 0) return kExitFailure;
  if (strict_waivers && waiver_findings > 0) return kExitWaivers;
  if (ran() == of(Outcome::kUnsupported)) return kExitNothingRan;
  return kExitOk;
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
  std::string line = fmt::format("{} {} of {} cases on {}", word_of(tally.exit_code()),
                                 tally.of(Outcome::kPass), tally.planned, subject);
  for (int i = 1; i < kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (tally.of(outcome) > 0) line += fmt::format(", {} {}", tally.of(outcome), name_of(outcome));
  }
  if (tally.waiver_findings > 0) {
    line += fmt::format(", {} finding{} about waivers", tally.waiver_findings,
                        tally.waiver_findings == 1 ? "" : "s");
  }
  if (tally.not_applicable > 0) line += fmt::format(", {} not applicable", tally.not_applicable);
  if (tally.stale > 0) line += fmt::format(", {} stale", tally.stale);
  if (tally.ran() < tally.planned) {
    line += fmt::format(", {} not run", tally.planned - tally.ran());
  }
  if (!tally.lost.empty()) line += "; the subject was given up: " + tally.lost;
  line += fmt::format("; {} of {} clauses witnessed", clauses.witnessed, clauses.all);
  if (const std::size_t holes = clauses.holes.size(); holes > 0) {
    line += fmt::format(" ({} hole{})", holes, holes == 1 ? "" : "s");
  }
  line += fmt::format("; {:.1f} s", std::chrono::duration<double>(tally.duration).count());
  return line;
}

}  // namespace assay
