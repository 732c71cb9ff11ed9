// One row of the kill matrix: which cases turn red on a fault.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/report/kill_matrix.hpp"
#include "harness/subject/process/stop_signal.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {

struct KillOptions {
  Selection selection;  ///< which cases may kill
  SubjectOptions subject;
  std::string mutants_of = "reference";  ///< the subject whose second build has the faults
  bool whole = false;                    ///< every case, whatever has turned red
  const StopSignal* stop = nullptr;
};

/// What the subject without a fault says: a case that it does not pass kills nothing. And which
/// cases take long, whoever ran them. May be used from several threads.
class Baseline {
 public:
  explicit Baseline(const KillOptions& options);
  bool passes(const Task& task);
  void note(const CaseResult& result);
  bool takes_long(const Case& test) const;

 private:
  mutable std::mutex mutex_;
  ConnectedSubject sound_;
  Runner runner_;
  std::map<std::pair<std::string, std::string>, bool> known_;
  std::set<std::string> long_;
};

/// Starts one mutant and runs the cases of the fault's clauses on it, until each of these clauses
/// has a case that turned red; if none does, all the others.
report::FaultRow kill(const Fault& fault, const KillOptions& options, Baseline& baseline);

}  // namespace assay
