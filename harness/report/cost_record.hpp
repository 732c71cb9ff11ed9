// What loops cost, side by side in one process, as a record for programs and as a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/stats/median.hpp"

namespace assay::report {

struct CostRow {
  std::string loop;
  std::string subject;          ///< as typed
  std::string lacking;          ///< why the subject does not have the loop; empty otherwise
  std::string wrong;            ///< why there is no time although it has; empty otherwise
  std::int64_t times = 0;       ///< iterations of a batch
  std::vector<double> ns;       ///< of an iteration: one batch a round
  std::vector<double> pointer;  ///< a call through a function pointer in the same rounds

  bool is_timed() const { return lacking.empty() && wrong.empty(); }
  /// Only of what was timed.
  stats::Median median_ns() const { return stats::median_of(ns); }
  /// How many calls through the pointer one iteration lasts, round by round. Only of what was
  /// timed.
  stats::Median median_ratio() const;
};

struct CostSubject {
  std::string subject;  ///< as typed
  std::string name;
  std::string version;
  std::string contract;
};

struct CostRecord {
  std::vector<std::string> argv;
  std::string started;
  Environment environment;
  int rounds = 0;
  double batch_ms = 0;
  std::vector<CostSubject> subjects;
  std::vector<CostRow> rows;  ///< by loop, and within it by subject
  int exit = 0;
  std::string line;  ///< the verdict, as it was printed
};

std::string to_json(const CostRecord& record);

/// A line a row, under a line that says what the columns are.
std::string to_text(const CostRecord& record);

}  // namespace assay::report
