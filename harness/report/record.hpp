// What is kept of a run: plain data, from which the JSON and the JUnit files are written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::report {

/// Where and with what a run was made.
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
  std::string program;   ///< the linker's id of this program's file; empty where it gave none
  std::string version;   ///< of this program
  std::string driver;    ///< of the GPU; empty where there is none
};

/// Of the machine and build that this program runs on and comes from.
Environment this_environment();

struct CaseRecord {
  std::string id;
  std::string contract;
  std::string outcome;
  std::vector<std::string> clauses;
  double seconds = 0;
  std::string file;  ///< where the case is written
  std::uint32_t line = 0;
  bool excused = false;  ///< an `unsupported` that was announced
  bool required = true;  ///< an `unsupported` that is a failure, unless it is excused
  std::string lacks;     ///< of an `unsupported`: the command at which the case stopped
  std::string excuse;    ///< of one that is excused, or of a `waived`: why
  /// Of what did not pass; all empty otherwise.
  std::string sentence, expected, got, where, last_words, replay;
  /// Commands and their replies, as JSON texts.
  std::vector<std::pair<std::string, std::string>> program;
};

/// Does this case fail the run?
bool spoils(const CaseRecord& test);

struct SubjectRecord {
  std::string subject;  ///< as typed
  std::string name, version;
  std::vector<std::string> devices, areas, without, contracts;
  bool threads = false;
  std::vector<CaseRecord> cases;
  std::map<std::string, std::size_t> outcomes;  ///< those that are not zero
  std::size_t planned = 0;
  std::size_t not_applicable = 0;
  std::size_t clauses_witnessed = 0;
  std::size_t clauses = 0;
  double seconds = 0;
  std::string verdict;  ///< `CONFORMS`, `INCOMPLETE`, `FAILS`, …
  int exit_code = 0;
  std::string line;  ///< the verdict as it was printed
  /// Areas of which every case passed, and where some did.
  std::vector<std::string> in_full, in_part;
  /// Commands that nobody excuses, with how many cases stopped there.
  std::vector<std::pair<std::string, std::size_t>> unanswered;
  std::vector<std::string> waiver_findings, support_findings;
  /// Why the subject was given up, and the end of what it wrote; empty where it was not.
  std::string lost, last_words;
  /// What the subject did at its end, behind the last case.
  std::vector<std::string> remarks;
};

struct RunRecord {
  std::vector<std::string> argv;
  std::uint64_t seed = 0;
  bool shuffled = false;
  std::string shard;    ///< `1/4`; empty for a whole run
  std::string started;  ///< `2026-11-21T11:00:00Z`
  Environment environment;
  std::vector<SubjectRecord> subjects;
  std::string verdict;
  int exit_code = 0;
  std::string line;
};

/// The time of day in UTC, to the second.
std::string now_utc();

/// Indented JSON, with a line break at the end; keeps to results/schema/run-1.json. Throws
/// std::logic_error when the record cannot be written so.
std::string to_json(const RunRecord& run);

/// The record that `text` is. Throws std::runtime_error, with the place in the text and what was
/// expected there, when it does not keep to the schema.
RunRecord run_from_json(std::string_view text);

/// JUnit XML: a suite a subject and area; clauses are properties of the case.
std::string to_junit(const RunRecord& run);

/// A page for people: the verdict, a table of the areas, what went wrong.
std::string to_markdown(const RunRecord& run);

/// Workflow commands of GitHub, `::error file=…`: one for each case that spoils the verdict and
/// each finding about waivers, as many as GitHub shows, and the count of the rest.
std::string to_annotations(const RunRecord& run);

}  // namespace assay::report
