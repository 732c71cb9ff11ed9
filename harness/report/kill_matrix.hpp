// The kill matrix: which cases detect which faults, as found by `assay selftest`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

struct FaultRow {
  std::string fault;
  std::vector<std::string> clauses;
  std::size_t ran = 0;                 ///< number of cases that were run
  std::vector<std::string> killed_by;  ///< cases that failed
  /// How each of these failed (harness/diagnosis/symptom.hpp).
  std::vector<std::uint32_t> symptoms;
  double seconds = 0;
  /// Why the mutant was given up; empty if it was not. A mutant that never answers says nothing
  /// about the cases.
  std::string lost;

  bool is_killed() const { return !killed_by.empty(); }
  bool survived() const { return killed_by.empty() && lost.empty(); }
};

struct KillMatrix {
  bool whole = false;  ///< every case was run on every fault
  std::vector<FaultRow> faults;
};

std::string to_json(const KillMatrix& matrix);

/// Throws std::runtime_error if the text is not a kill matrix.
KillMatrix kill_matrix_from_json(std::string_view text);

}  // namespace assay::report
