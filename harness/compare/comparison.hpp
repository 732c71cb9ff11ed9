// The result of a comparison of bench records: plain data, input of every output format; and what a
// number speaks of: the GPU, the host beside it, or both.
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

struct Comparison;

enum class Scope : std::uint8_t {
  kDevice,  ///< work that the device times, or nodes of its graphs
  kHost,    ///< calls
  kBoth,    ///< waits, and copies between the memories
  kCounts,  ///< what no machine changes
};
inline constexpr std::size_t kScopes = 4;

/// `GPU`, `host`, `host and GPU`, `counts`.
std::string_view name_of(Scope scope);

Scope scope_of(const report::BenchMeasurement& measurement);

/// The scopes of the comparison's rows if a total over them would answer no question: the sides are
/// different machines, and the rows speak of several things. Otherwise empty.
std::vector<Scope> scopes_apart(const Comparison& comparison);

/// The hardware that times depend on, and statistics cannot correct.
std::string machine_of(const report::BenchRecord& record);

/// One side: the measurements of a file, or those with one value of a key. The first column is the
/// baseline.
struct Column {
  std::string label;
  std::string file;
  const report::BenchRecord* record = nullptr;  ///< must outlive the comparison
  std::string key;                              ///< `subject`, `dtype`, …; empty: the whole file
  std::string value;
  /// Row names of subjects, by id; set by `compare`. A subject without an entry keeps its id.
  std::map<std::string, std::string> names = {};
};

enum class Verdict : std::uint8_t {
  kFaster,     ///< better than the baseline by more than the margin, in the unit's direction
  kSlower,     ///< worse by more than the margin
  kFewer,      ///< like faster, for counts
  kMore,       ///< like slower, for counts
  kSame,       ///< equivalent within the margin
  kChanged,    ///< different, but possibly within the margin
  kUndecided,  ///< neither a difference nor equivalence is shown
  kMissing,    ///< only the baseline has a number
  kNew,        ///< only this side has a number
  kNoNumber,   ///< neither side has a number
  kRefused,    ///< the two numbers cannot be compared
};
inline constexpr std::size_t kVerdicts = 11;

/// `faster`, `slower`, …, `no number`, `refused`.
std::string_view name_of(Verdict verdict);

/// True if there is a ratio: both sides have a number, and the numbers are comparable.
bool is_compared(Verdict verdict);

/// The number of one side, or the reason why there is none.
struct Number {
  const report::BenchMeasurement* source = nullptr;  ///< null if the side has no such row
  std::optional<double> center;
  std::size_t processes = 0;
  std::string reason;   ///< empty if there is a number
  bool failed = false;  ///< wrong or dead instead of timed
};

/// One candidate against the baseline, in one row.
struct Cell {
  Number number;
  Verdict verdict = Verdict::kNoNumber;
  std::string reason;           ///< why it was refused, or is not decided
  std::optional<double> ratio;  ///< candidate / baseline, if they were compared
  std::optional<double> low;    ///< its interval; none if there are too few processes
  std::optional<double> high;
  bool by_round = false;    ///< sides ran in the same rounds and were compared as pairs
  bool is_blind = false;    ///< too few processes to confirm any difference
  std::optional<double> p;  ///< the p-value; none for exact numbers
  std::optional<double> adjusted_p;
  std::optional<std::size_t> more;  ///< additional processes that would probably decide it
};

struct Row {
  std::string subject;    ///< empty if columns are subjects
  std::string quantity;   ///< `host.dispatch_ns`
  std::string name;       ///< `dispatch/typed/tensors=2`
  std::string case_name;  ///< `dispatch/typed`
  std::string unit;
  bool higher_is_better = false;
  bool exact = false;
  Scope scope = Scope::kBoth;
  double margin = 0;  ///< 0.02 is 2 %
  Number baseline;
  std::vector<Cell> cells;  ///< one for each column except the first
};

/// The mean ratio of one quantity of one subject, as far as it speaks of one thing.
struct Summary {
  std::size_t column = 0;  ///< the candidate's column; 1 is the first
  std::string subject;
  std::string quantity;
  Scope scope = Scope::kBoth;
  stats::Geomean geomean;
};

/// True if both rows belong to one table.
inline bool are_of_one_section(const Row& one, const Row& other) {
  return one.subject == other.subject && one.quantity == other.quantity && one.scope == other.scope;
}

struct Comparison {
  std::vector<Column> columns;
  std::vector<std::string> labels;  ///< notes on the whole comparison
  std::vector<Row> rows;
  std::vector<Summary> summaries;
  double alpha = 0;
  double margin = 0;
  std::size_t tests = 0;              ///< in the family of the correction
  std::optional<double> noise_floor;  ///< the largest of all records
  bool synthetic = false;

  std::size_t count(Verdict verdict) const;
  /// Of the rows of one scope.
  std::size_t count(Verdict verdict, Scope scope) const;
  std::size_t compared() const;
};

}  // namespace assay::compare
