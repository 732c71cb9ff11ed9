// The verdict of a run: a word, a line and an exit code that are always consistent.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// Exit codes of the program (`assay --help` lists them).
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInternal = 3;
inline constexpr int kExitIncomplete = 4;
inline constexpr int kExitNothingRan = 5;
inline constexpr int kExitWaivers = 6;
inline constexpr int kExitAbsent = 77;  ///< a device is absent, which --allow-absent permits
inline constexpr int kExitInterrupted = 130;

/// `PASS`, `FAIL`, `INTERNAL ERROR`, `INCOMPLETE`, `NOTHING RAN`, …, for commands other than run.
std::string_view word_of(int exit_code);
/// The verdicts of runs: `CONFORMS`, `FAILS`, and the others as above.
std::string_view verdict_of(int exit_code);

struct AreaTally {
  std::size_t passed = 0;
  std::size_t unanswered = 0;
  std::size_t other = 0;  ///< failed, excused, waived
};

/// How many cases a profile leaves, in all shards together; `name` is empty without one.
struct ProfileTally {
  std::string name;
  std::size_t judged = 0;
  std::size_t all = 0;
};

struct Tally {
  std::array<std::size_t, kOutcomes> outcomes{};
  std::size_t required = 0;    ///< unsupported and counted as failures
  std::size_t unanswered = 0;  ///< unsupported, neither excused nor failures
  std::map<std::string, AreaTally> areas;
  /// Areas of which this run, or the recording, has only some cases.
  std::set<std::string> narrowed;
  bool partial = false;            ///< --partial was given
  std::size_t not_applicable = 0;  ///< selected, but only for contracts that the subject lacks
  std::size_t unclaimed = 0;       ///< selected, but of areas that the subject does not claim
  std::size_t planned = 0;
  ProfileTally profile;
  /// Recorded, but their case has changed, so that nothing was compared: by area.
  std::map<std::string, std::size_t> stale;
  std::set<std::string> witnessed;  ///< clauses with an answered case
  std::chrono::nanoseconds duration{0};
  bool interrupted = false;
  /// Of a run in shards that were put together: those without a record, `2/4`.
  std::vector<std::string> missing_shards;
  std::size_t waiver_findings = 0;
  std::size_t covered = 0;      ///< cases that waivers cover, whether they failed or not
  bool strict_waivers = false;  ///< findings about waivers fail the run
  std::size_t bad_ends = 0;     ///< processes of the subject that did not end with status 0
  bool strict_end = false;      ///< these fail the run
  /// Why the subject was given up; empty if it was not.
  std::string lost;
  bool changed = false;  ///< it was, because its hello has changed: a failure of the subject

  void add(const CaseResult& result);
  std::size_t of(Outcome outcome) const { return outcomes[static_cast<std::size_t>(outcome)]; }
  /// The number of cases that ran, with any outcome.
  std::size_t ran() const;
  /// The number of stale recordings.
  std::size_t all_stale() const;
  /// True if something was left open that nothing excuses.
  bool is_incomplete() const { return unanswered > 0 || !stale.empty() || !missing_shards.empty(); }
  int exit_code() const;
  /// An incomplete run that the user allowed has exit code 0, but is still called INCOMPLETE.
  std::string_view verdict() const;

  /// The areas in which all cases passed, in which some did, and in which some were not answered.
  std::vector<std::string> in_full() const;
  std::vector<std::string> in_part() const;
  std::vector<std::string> incomplete() const;
};

/// Counts the clauses that cases can witness in the subject's areas.
struct ClauseCount {
  std::size_t witnessed = 0;
  std::size_t all = 0;
  std::vector<std::string> holes;  ///< the others, if no case was deselected
};

ClauseCount count_clauses(const Tally& tally, const SubjectInfo& info, bool whole_run);

/// `CONFORMS in amp, core and part of optim: 412 of 420 cases pass on mine, 8 unsupported; 187 of
/// 190 clauses witnessed (3 holes); 1.2 s`
std::string verdict_line(const std::string& subject, const Tally& tally,
                         const ClauseCount& clauses);

}  // namespace assay
