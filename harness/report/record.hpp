// What is kept of a run: plain data, from which the JSON and the JUnit files are written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
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
  std::string version;   ///< of this program
};

/// Of the machine and build that this program runs on and comes from.
Environment this_environment();

struct CaseRecord {
  std::string id;
  std::string contract;
  std::string outcome;
  std::vector<std::string> clauses;
  double seconds = 0;
  bool excused = false;  ///< an `unsupported` that was announced
  std::string excuse;
  /// Of what did not pass; all empty otherwise.
  std::string sentence, expected, got, where, last_words, replay;
  /// Commands and their replies, as JSON texts.
  std::vector<std::pair<std::string, std::string>> program;
};

struct SubjectRecord {
  std::string subject;  ///< as typed
  std::string name, version;
  std::vector<std::string> devices, areas, contracts;
  bool threads = false;
  std::vector<CaseRecord> cases;
  std::map<std::string, std::size_t> outcomes;  ///< those that are not zero
  std::size_t planned = 0;
  std::size_t not_applicable = 0;
  std::size_t clauses_witnessed = 0;
  std::size_t clauses = 0;
  double seconds = 0;
  std::string verdict;  ///< `PASS`, `FAIL`, …
  int exit_code = 0;
  std::string line;  ///< the verdict as it was printed
};

struct RunRecord {
  std::vector<std::string> argv;
  std::uint64_t seed = 0;
  bool shuffled = false;
  std::string started;  ///< `2026-11-21T11:00:00Z`
  Environment environment;
  std::vector<SubjectRecord> subjects;
  std::string verdict;
  int exit_code = 0;
  std::string line;
};

/// The time of day in UTC, to the second.
std::string now_utc();

/// Indented JSON, with a line break at the end.
std::string to_json(const RunRecord& run);

/// JUnit XML: a suite a subject and area; clauses are properties of the case.
std::string to_junit(const RunRecord& run);

}  // namespace assay::report
