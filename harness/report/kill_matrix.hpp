// Which case kills which fault: what `assay selftest` finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

struct FaultRow {
  std::string fault;
  std::vector<std::string> clauses;
  std::size_t ran = 0;                 ///< cases that were tried
  std::vector<std::string> killed_by;  ///< cases that turned red
  double seconds = 0;
  /// Why the mutant was given up before the end; empty where it was not. One that never answers
  /// proves nothing about the cases.
  std::string lost;

  bool is_killed() const { return !killed_by.empty(); }
  bool survived() const { return killed_by.empty() && lost.empty(); }
};

struct KillMatrix {
  bool whole = false;  ///< every case was tried on every fault
  std::vector<FaultRow> faults;
};

std::string to_json(const KillMatrix& matrix);

/// Throws std::runtime_error when the text is not such a file.
KillMatrix kill_matrix_from_json(std::string_view text);

}  // namespace assay::report
