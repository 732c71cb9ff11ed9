// One row of the kill matrix: which cases turn red on a fault.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/subjects.hpp"
#include "harness/report/kill_matrix.hpp"
#include "harness/subject/stop_signal.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner.hpp"

namespace assay::cli {

struct KillOptions {
  Selection selection;  ///< which cases may kill
  SubjectOptions subject;
  std::string mutants_of = "reference";  ///< the subject whose second build has the faults
  bool whole = false;                    ///< every case, not only those of the fault's clauses
  const StopSignal* stop = nullptr;
};

/// What the subject without a fault says: a case that it does not pass kills nothing. May be used
/// from several threads.
class Baseline {
 public:
  explicit Baseline(const KillOptions& options);
  bool passes(const Task& task);

 private:
  std::mutex mutex_;
  ConnectedSubject sound_;
  Runner runner_;
  std::map<std::pair<std::string, std::string>, bool> known_;
};

/// Starts one mutant and runs the cases of the fault's clauses on it; if none of them turns red,
/// all the others.
report::FaultRow kill(const Fault& fault, const KillOptions& options, Baseline& baseline);

}  // namespace assay::cli
