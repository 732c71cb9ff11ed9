// One row of the kill matrix: the cases that fail on a fault.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "harness/report/kill_matrix.hpp"
#include "harness/selftest/reached_functions.hpp"
#include "harness/subject/process/stop_signal.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {

struct KillOptions {
  Selection selection;  ///< the cases to run
  SubjectOptions subject;
  std::string mutants_of = "reference";     ///< the subject whose second build has the faults
  bool whole = false;                       ///< run every case, even after a failure
  bool perturbed = false;                   ///< send the programs of cases again with changes
  const ReachedFunctions* reach = nullptr;  ///< if set, only cases that reach the fault's function
  const StopSignal* stop = nullptr;
};

/// The results of the program of the mutants while no fault is enabled: a case that does not pass
/// there detects nothing, and one that fails there is an error of the harness. Also records which
/// cases take long. Thread-safe.
class Baseline {
 public:
  explicit Baseline(const KillOptions& options);
  /// Runs all selected cases, `jobs` at a time. Throws std::runtime_error if one fails.
  void run_all(int jobs, const std::function<void(std::size_t)>& on_count);
  /// Throws std::runtime_error if the case fails.
  bool passes(const Task& task);
  /// What a case may take on a mutant before it counts as hanging, given what it takes here. Throws
  /// like `passes`.
  std::chrono::milliseconds patience_for(const Task& task);
  void note(const CaseResult& result);
  bool takes_long(const Case& test) const;

 private:
  struct Sound {
    bool passes;
    std::chrono::milliseconds took;
  };
  const Sound& on_sound(const Task& task);
  void keep(const CaseResult& result);

  const KillOptions& options_;
  mutable std::mutex mutex_;
  ConnectedSubject sound_;
  Runner runner_;
  std::map<std::pair<std::string, std::string>, Sound> known_;
  std::set<std::string> long_;
};

/// Starts a mutant and runs the cases of the fault's clauses on it until each of these clauses has
/// a failed case; if none has, runs all other cases. A fault that only changed programs show is
/// killed by these alone, with or without `given.perturbed`.
report::FaultRow kill(const Fault& fault, const KillOptions& given, Baseline& baseline);

}  // namespace assay
