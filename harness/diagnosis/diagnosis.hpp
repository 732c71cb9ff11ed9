// The few planted faults that explain most failures of a subject.
#pragma once

#include <string>
#include <vector>

#include "harness/diagnosis/symptoms.hpp"
#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// What makes some of the subject's cases fail.
struct Cause {
  /// A planted fault that makes them fail in the same way, and others that explain them equally
  /// well, the shortest sentence first.
  std::vector<std::string> faults;
  /// The ids of the cases that it explains and no cause before it, and among them those that fail
  /// in the same way: first the cases about the fault's own clause, shortest program first.
  std::vector<std::string> explained;
  std::vector<std::string> exact;
  /// Too few cases speak for it.
  bool is_guess = false;
  /// Of the case that it explains and that is closest to a training.
  Reach reach = Reach::kTraining;
};

struct Diagnosis {
  /// Those that a training meets come first, then those that explain most; guesses last.
  std::vector<Cause> causes;
  std::size_t failures = 0;              ///< number of cases that fail
  std::vector<std::string> unexplained;  ///< those that a training meets first
};

/// By the symptoms in this program, which are read only if something fails.
Diagnosis diagnose(const std::vector<CaseResult>& results);

/// A fault counts against itself each case that it makes fail and that the subject passes.
Diagnosis diagnose(const std::vector<CaseResult>& results,
                   const std::vector<FaultSymptoms>& symptoms);

}  // namespace assay
