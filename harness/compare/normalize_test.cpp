// A machine that is merely slower compares as the same in its own null calls.
#include "harness/compare/normalize.hpp"

#include <gtest/gtest.h>

#include "harness/compare/example_records.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;

BenchRecord with_null_calls(BenchRecord record, double ns) {
  for (report::BenchMeasurement& each : record.measurements) {
    if (!each.center) continue;
    each.null_calls = report::BenchMultiple{*each.center / ns, std::nullopt};
    for (report::BenchProcess& process : each.processes) process.null_call_ns = ns;
  }
  return record;
}

TEST(InNullCalls, AMachineOfHalfTheSpeedIsTheSame) {
  const BenchRecord fast = with_null_calls(record_of_rows({{"a", 100}, {"b", 10}}), 2);
  const BenchRecord slow = with_null_calls(record_of_rows({{"a", 200}, {"b", 22}}), 4);
  const Comparison raw = compared(fast, slow);
  const Comparison found = compared(in_null_calls(fast), in_null_calls(slow));

  EXPECT_EQ(raw.rows[0].cells[0].verdict, Verdict::kSlower);
  EXPECT_EQ(found.rows[0].cells[0].verdict, Verdict::kSame);
  EXPECT_EQ(found.rows[1].cells[0].verdict, Verdict::kSlower);
  EXPECT_EQ(found.rows[0].unit, "null calls");
  EXPECT_DOUBLE_EQ(*found.rows[0].baseline.center, 50);
}

TEST(InNullCalls, WhatHasNoneHasNoNumber) {
  BenchRecord record = with_null_calls(record_of_rows({{"a"}, {"b"}}), 2);
  record.measurements[0].processes[3].null_call_ns = std::nullopt;
  record.measurements[1].processes[3].null_call_ns = 0;
  const Comparison found = compared(in_null_calls(record), in_null_calls(record));

  for (const Row& row : found.rows) {
    EXPECT_EQ(row.cells[0].verdict, Verdict::kNoNumber);
    EXPECT_EQ(row.baseline.reason, "no null call was timed beside it");
  }
}

TEST(InNullCalls, CountsStayCounts) {
  BenchRecord record = record_of_rows({{"a", 1000, 0, 1}});
  record.measurements[0].unit = "instructions";
  const BenchRecord normalized = in_null_calls(record);

  EXPECT_EQ(normalized.measurements[0].unit, "instructions");
  EXPECT_EQ(normalized.measurements[0].center, 1000);
}

}  // namespace
}  // namespace assay::compare
