// Compares subjects that took turns by their times corrected for the machine's speed in each turn.
#include <gtest/gtest.h>

#include "harness/compare/compare.hpp"
#include "harness/compare/example_records.hpp"
#include "harness/compare/normalize.hpp"

namespace assay::compare {
namespace {

using report::BenchProcess;
using report::BenchRecord;

/// Two subjects whose medians differ wildly from round to round, and whose turns by 5 %.
BenchRecord with_turns() {
  BenchRecord record = record_of_rows({{"a", 100, 0, 12, "mine"}, {"a", 100, 0, 12, "other"}});
  for (std::size_t i = 0; i < 12; ++i) {
    const double wobble = 1 + 0.0001 * static_cast<double>(i);
    BenchProcess& mine = record.measurements[0].processes[i];
    BenchProcess& other = record.measurements[1].processes[i];
    mine.median = i % 3 == 0 ? 220 : 100;
    other.median = i % 4 == 0 ? 200 : 110;
    mine.relative = 1 / 1.05 * wobble;
    other.relative = 1;
  }
  return record;
}

TEST(CompareTurns, ADifferenceIsFoundUnderTheNoiseOfTheRounds) {
  const Comparison found = compared_subjects(with_turns());
  EXPECT_EQ(found.rows[0].cells[0].verdict, Verdict::kSlower);
  EXPECT_NEAR(*found.rows[0].cells[0].ratio, 1.05, 0.001);
}

TEST(CompareTurns, ARoundInWhichOneSideTookNoneIsComparedByItsMedians) {
  BenchRecord record = with_turns();
  for (BenchProcess& process : record.measurements[1].processes) process.relative.reset();
  EXPECT_EQ(compared_subjects(record).rows[0].cells[0].verdict, Verdict::kUndecided);
}

TEST(CompareTurns, NullCallsDivideTurnsToo) {
  BenchRecord record = with_turns();
  for (report::BenchMeasurement& row : record.measurements) {
    row.null_calls = report::BenchMultiple{50, std::nullopt};
    for (BenchProcess& process : row.processes)
      process.null_call_ns = row.subject == "mine" ? 2.0 : 4.0;
  }
  const Comparison found = compared_subjects(in_null_calls(record));
  EXPECT_NEAR(*found.rows[0].cells[0].ratio, 1.05 / 2, 0.001);
}

}  // namespace
}  // namespace assay::compare
