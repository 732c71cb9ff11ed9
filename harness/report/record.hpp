// The record of a run: plain data, from which JSON and JUnit files are written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/report/bench/device.hpp"

namespace assay::report {

/// The machine, build and environment of a run.
struct Environment {
  std::string host;
  std::string cpu;
  unsigned cores = 0;
  std::string kernel;
  std::string compiler;
  std::string flags;
  std::string build_type;
  std::string revision;  ///< of git; `unknown` outside a checkout
  bool dirty = false;    ///< the checkout had changes when the program was built
  std::string program;   ///< the linker's build id of this program; empty if there is none
  std::string version;   ///< of this program
  std::string driver;    ///< GPU driver; empty if there is none
  std::vector<BenchDevice> devices;
};

/// The environment of this program.
Environment this_environment();

struct CaseRecord {
  std::string id;
  std::string contract;
  std::string outcome;
  std::vector<std::string> clauses;
  double seconds = 0;
  std::string file;  ///< the source file of the case
  std::uint32_t line = 0;
  bool excused = false;  ///< an announced `unsupported`
  bool required = true;  ///< an `unsupported` that is a failure, unless excused
  std::string lacks;     ///< for `unsupported`: the command at which the case stopped
  std::string was;       ///< for `waived`: the outcome before; empty in old records
  std::string excuse;    ///< for an excused or waived result: the reason
  std::string changes;   ///< with which its program was sent again; of a failure: that made it fail
  /// Set for cases that did not pass; otherwise empty.
  std::string sentence, expected, got, where, last_words, replay;
  /// Commands and replies as JSON texts.
  std::vector<std::pair<std::string, std::string>> program;
  std::string shortest;  ///< a short program that shows the failure; empty if none is known
  std::string reach;     ///< how far from a training: `state`; empty for what a training meets
  std::string mistake;   ///< of PyTorch, which this case saw, with what it can do to a training
};

/// True if this case fails the run.
bool spoils(const CaseRecord& test);

/// A planted fault that makes some of the subject's failed cases fail in the same way.
struct CauseRecord {
  std::string sentence;  ///< what the fault changes
  std::string clause;
  std::string fault;                ///< its name
  std::vector<std::string> others;  ///< sentences of faults that explain the same equally well
  std::vector<std::string> cases;   ///< the ids of the cases that it explains
  std::vector<std::string> exact;   ///< those that fail in the same way, the most telling first
  bool perhaps = false;             ///< too few cases speak for it
};

/// `perhaps: A. or: B.`, with at most three sentences.
std::string in_words(const CauseRecord& cause);

/// A waiver as it was read.
struct WaiverRecord {
  std::string cases, subject, device;
  std::vector<std::string> releases;
  std::string reason, link, owner, expires;
  std::vector<std::string> signature;
  std::string pattern, place;
  bool has_case = true;  ///< a case of this name exists

  bool operator==(const WaiverRecord&) const = default;
};

/// An entry of a support file as it was read.
struct SupportRecord {
  std::string cases, command, device;
  std::vector<std::string> releases;
  std::string reason, place;

  bool operator==(const SupportRecord&) const = default;
};

/// How many cases a profile leaves, in all shards together.
struct ProfileRecord {
  std::string name;  ///< `training`
  std::size_t judged = 0, all = 0;

  bool operator==(const ProfileRecord&) const = default;
};

/// What decides the verdict besides the results, so that `assay merge` can give it on the results
/// of all shards. Equal in all shards of a run.
struct Basis {
  /// The program, the subject, its hello, the options and the list of all cases, in words.
  std::map<std::string, std::string> key;
  std::size_t cases = 0;  ///< of all shards together
  bool whole = false;     ///< no filter leaves out cases of the suites
  std::size_t unclaimed = 0;
  std::vector<std::string> narrowed;
  std::map<std::string, std::size_t> stale;
  bool strict_end = false, strict_waivers = false, partial = false;
  std::vector<WaiverRecord> waivers;
  std::vector<SupportRecord> support;
  std::optional<ProfileRecord> profile;

  bool operator==(const Basis&) const = default;
};

struct SubjectRecord {
  std::string subject;  ///< as typed
  std::string name, version;
  std::vector<std::string> devices, areas, without, contracts, properties;
  bool threads = false, foreign = false;
  std::vector<CaseRecord> cases;
  std::map<std::string, std::size_t> outcomes;  ///< non-zero counts
  std::size_t planned = 0;
  std::size_t not_applicable = 0;
  std::size_t clauses_witnessed = 0;
  std::size_t clauses = 0;
  double seconds = 0;
  std::string verdict;  ///< `CONFORMS`, `INCOMPLETE`, `FAILS`, …
  int exit_code = 0;
  std::string line;  ///< the verdict as it was printed
  /// Areas in which every case passed, and areas in which some did.
  std::vector<std::string> in_full, in_part;
  /// Of the failures, those that explain most first.
  std::vector<CauseRecord> causes;
  /// Unexcused commands, with the number of cases that stopped there.
  std::vector<std::pair<std::string, std::size_t>> unanswered;
  std::vector<std::string> waiver_findings, support_findings;
  /// Why the subject was given up, and its last output; empty if it was not.
  std::string lost, last_words;
  /// Events at the subject's end, after the last case.
  std::vector<std::string> remarks;
  /// Missing in old records, and if the subject was lost before its cases were known.
  std::optional<Basis> basis;
};

/// A part that was asked for: a subject with the cases, or with recordings.
struct PartRecord {
  std::string subject;      ///< its label
  bool recordings = false;  ///< the part compares with recordings
  bool by_default = false;  ///< it is left out if it has none of the cases
  bool absent = false;      ///< --allow-absent left it out, because its device is absent

  bool operator==(const PartRecord&) const = default;
};

/// Where the cases of a merged record come from.
struct ShardRecord {
  std::string shard;
  std::vector<std::string> argv;
  std::string started;
  Environment environment;
};

struct RunRecord {
  std::vector<std::string> argv;
  std::uint64_t seed = 0;
  bool shuffled = false;
  std::string shard;       ///< `1/4`; empty for a whole run
  std::string shard_from;  ///< the environment variable that said so; empty if the user did
  std::string started;     ///< `2026-11-21T11:00:00Z`
  Environment environment;
  std::vector<PartRecord> parts;    ///< empty in old records
  std::vector<ShardRecord> shards;  ///< of a merged record, in their order
  std::vector<SubjectRecord> subjects;
  std::string verdict;
  int exit_code = 0;
  std::string line;
};

/// The current UTC time, in seconds.
std::string now_utc();

/// Indented JSON with a final line break, following results/schema/run-1.json. Throws
/// std::logic_error if the record cannot be represented.
std::string to_json(const RunRecord& run);

/// Parses a record. Throws std::runtime_error, with the position and what was expected, if the text
/// does not follow the schema, and if a verdict is better than the cases below it.
RunRecord run_from_json(std::string_view text);

/// JUnit XML: one suite per subject and area; clauses are properties of the case.
std::string to_junit(const RunRecord& run);

/// As Markdown: the verdict, a table of the areas, the failures.
std::string to_markdown(const RunRecord& run);

/// GitHub workflow commands, `::error file=…`: one for each case that fails the run and for each
/// finding about waivers, up to GitHub's limit, and the number of the others.
std::string to_annotations(const RunRecord& run);

}  // namespace assay::report
