// What a comparison of bench records found: plain data, from which every output is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/bench/record.hpp"
#include "harness/stats/geomean.hpp"

namespace assay::compare {

/// One side: the measurements of a file, or those in it with one value of a key. The first is the
/// baseline.
struct Column {
  std::string label;
  std::string file;
  const report::BenchRecord* record = nullptr;  ///< outlives the comparison
  std::string key;                              ///< `subject`, `dtype`, …; empty: all of the file
  std::string value;
  /// What subjects are called in rows, by their ids; `compare` sets it. Others have their ids.
  std::map<std::string, std::string> names = {};
};

enum class Verdict : std::uint8_t {
  kFaster,     ///< better than the baseline by more than the margin, in the unit's direction
  kSlower,     ///< worse by more than the margin
  kFewer,      ///< the same as faster, of counts
  kMore,       ///< the same as slower, of counts
  kSame,       ///< equivalent inside the margin
  kChanged,    ///< different, but by more or less than the margin is not known
  kUndecided,  ///< neither a difference nor equivalence is shown
  kMissing,    ///< the baseline has a number, and this side does not
  kNew,        ///< this side has a number, and the baseline does not
  kNoNumber,   ///< neither has one
  kRefused,    ///< the two numbers cannot be compared
};
inline constexpr std::size_t kVerdicts = 11;

/// `faster`, `slower`, …, `no number`, `refused`.
std::string_view name_of(Verdict verdict);

/// Has a ratio: both sides have a number, and they may be compared.
bool is_compared(Verdict verdict);

/// The number of one side, or why there is none.
struct Number {
  const report::BenchMeasurement* source = nullptr;  ///< null where the side has no such row
  std::optional<double> center;
  std::size_t processes = 0;
  std::string reason;   ///< empty where there is a number
  bool failed = false;  ///< wrong, or dead, where it should have been timed
};

/// A candidate against the baseline, in one row.
struct Cell {
  Number number;
  Verdict verdict = Verdict::kNoNumber;
  std::string reason;           ///< of what was refused
  std::optional<double> ratio;  ///< candidate / baseline; of what was compared
  std::optional<double> low;    ///< its interval; none where there are too few processes for one
  std::optional<double> high;
  bool by_round = false;    ///< both sides ran in the same rounds, which were compared as pairs
  bool is_blind = false;    ///< so few processes that the test could confirm no difference at all
  std::optional<double> p;  ///< of the test; none for exact numbers
  std::optional<double> adjusted_p;
  std::optional<std::size_t> more;  ///< processes that would probably decide it
};

struct Row {
  std::string subject;    ///< empty where columns are subjects
  std::string quantity;   ///< `host.dispatch_ns`
  std::string name;       ///< `dispatch/typed/tensors=2`
  std::string case_name;  ///< `dispatch/typed`
  std::string unit;
  bool higher_is_better = false;
  bool exact = false;
  double margin = 0;  ///< 0.02 is 2 %
  Number baseline;
  std::vector<Cell> cells;  ///< one for each column but the first
};

/// The mean of the ratios of one quantity of one subject.
struct Summary {
  std::size_t column = 0;  ///< of the candidate; 1 is the first
  std::string subject;
  std::string quantity;
  stats::Geomean geomean;
};

struct Comparison {
  std::vector<Column> columns;
  std::vector<std::string> labels;  ///< sentences that qualify all of it
  std::vector<Row> rows;
  std::vector<Summary> summaries;
  double alpha = 0;
  double margin = 0;
  std::size_t tests = 0;              ///< corrected for together
  std::optional<double> noise_floor;  ///< the largest that a record has
  bool synthetic = false;

  std::size_t count(Verdict verdict) const;
  std::size_t compared() const;
};

}  // namespace assay::compare
