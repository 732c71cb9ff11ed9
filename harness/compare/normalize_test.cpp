// Tests that a machine that is merely slower compares as equal in its own null calls.
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
    EXPECT_EQ(row.baseline.reason, "its processes timed no null call");
  }
}

TEST(InNullCalls, CountsStayCounts) {
  BenchRecord record = record_of_rows({{"a", 1000, 0, 1}});
  record.measurements[0].unit = "instructions";
  const BenchRecord normalized = in_null_calls(record);

  EXPECT_EQ(normalized.measurements[0].unit, "instructions");
  EXPECT_EQ(normalized.measurements[0].center, 1000);
}

TEST(InNullLaunches, AreThoseOfTheSameProcessAndSubject) {
  BenchRecord record = record_of({measured({.case_name = "launch/kernel", .center = 2000}),
                                  measured({.case_name = "launch/unscale", .center = 3000}),
                                  measured({.case_name = "launch/unscale", .subject = "other"})});
  for (report::BenchProcess& process : record.measurements[0].processes) process.median = 1000;
  record.measurements[0].processes.pop_back();

  const BenchRecord found = in_null_launches(record);

  EXPECT_NEAR(*found.measurements[1].center, 3, 0.1);
  EXPECT_EQ(found.measurements[1].unit, "null launches");
  EXPECT_EQ(found.measurements[1].processes.size() + 1, record.measurements[1].processes.size());
  EXPECT_DOUBLE_EQ(*found.measurements[0].center, 1);
  EXPECT_EQ(found.measurements[2].reason, "the record has no time of launch/kernel");
  for (const report::BenchMeasurement& each : record.measurements) {
    const report::BenchMeasurement& same =
        found.measurements[static_cast<std::size_t>(&each - record.measurements.data())];
    EXPECT_EQ(center_in_null_launches(each, record), same.center);
  }
}

TEST(InCycles, TheClockOfEachProcessCounts) {
  BenchRecord record = record_of({measured({.case_name = "a", .center = 100})});
  for (report::BenchProcess& process : record.measurements[0].processes) {
    process.median = process.index % 2 == 0 ? 100 : 50;
    process.sm_clock_mhz = process.index % 2 == 0 ? 1000 : 2000;
  }

  EXPECT_DOUBLE_EQ(*in_cycles(record).measurements[0].center, 100);
  EXPECT_EQ(in_cycles(record).measurements[0].unit, "cycles");
  EXPECT_EQ(center_in_cycles(record.measurements[0]), 100);
  EXPECT_EQ(center_in_cycles(measured({"a"})), std::nullopt);
  record.measurements[0].unit = "launches";
  EXPECT_EQ(center_in_cycles(record.measurements[0]), std::nullopt) << "a count is no time";
  EXPECT_EQ(in_cycles(record_of({measured({"a"})})).measurements[0].reason,
            "the GPU's clock is unknown");
}

TEST(InCycles, TheClockOfEachSampleCountsWhereItIsKnown) {
  BenchRecord record = record_of({measured({.case_name = "a", .center = 100})});
  for (report::BenchProcess& process : record.measurements[0].processes) {
    process.median = 90;
    process.samples = {100, 50, 90};
    process.sm_clock_mhz = 1000;
    process.sm_clocks_mhz = {1000, 2000, 1000};
  }

  const report::BenchMeasurement found = in_cycles(record).measurements[0];

  EXPECT_DOUBLE_EQ(*found.center, 100);
  EXPECT_EQ(found.processes[0].samples, (std::vector<double>{100, 100, 90}));
  EXPECT_DOUBLE_EQ(center_in_cycles(record.measurements[0]).value(), 100);
}

report::BenchMeasurement moving(std::int64_t bytes, report::BenchMeasurement measurement) {
  measurement.bytes = bytes;
  return measurement;
}

/// Two copies, the larger of which reaches 4 GB/s, and a case.
BenchRecord record_with_roof(const ExampleRow& row, std::int64_t bytes, double slower = 1) {
  return record_of({moving(100, measured({.case_name = "device/copy", .center = 10 * slower})),
                    moving(8000, measured({.case_name = "device/copy",
                                           .center = 2000 * slower,
                                           .axes = {{"N", std::int64_t{1000}}}})),
                    moving(bytes, measured(row))});
}

TEST(InSharesOfRoof, TheLargestCopyIsTheWhole) {
  const BenchRecord shares = in_shares_of_roof(record_with_roof({"unscale", 500}, 1000));

  EXPECT_DOUBLE_EQ(*shares.measurements[0].center, 2.5);
  EXPECT_DOUBLE_EQ(*shares.measurements[1].center, 1);
  EXPECT_NEAR(*shares.measurements[2].center, 0.5, 1e-9);
  EXPECT_EQ(shares.measurements[2].unit, "shares of the roof");
  EXPECT_EQ(shares.measurements[2].better, "higher");
}

TEST(InSharesOfRoof, WithoutBytesOrACopyThereIsNoNumber) {
  const BenchRecord without_copy = in_shares_of_roof(record_of({moving(8, measured({"a"}))}));
  BenchRecord record = record_with_roof({"unscale", 500}, 1000);
  record.measurements[2].bytes = std::nullopt;

  EXPECT_EQ(without_copy.measurements[0].reason, "the record has no time of device/copy");
  EXPECT_EQ(in_shares_of_roof(record).measurements[2].reason,
            "the number of bytes that it moves is unknown");
}

TEST(InSharesOfRoof, WhatComesFromTheHostHasNone) {
  const BenchRecord shares =
      in_shares_of_roof(record_with_roof({.case_name = "device/copy_in"}, 8000));

  const report::BenchMeasurement& from_host = shares.measurements.back();
  EXPECT_FALSE(from_host.center);
  EXPECT_EQ(from_host.reason, "it copies from or to the host, not inside the device");
}

TEST(InSharesOfRoof, ProcessesWithoutACopyAreLeftOut) {
  BenchRecord record = record_with_roof({"unscale", 500}, 1000);
  record.measurements[1].processes.resize(4);

  EXPECT_EQ(in_shares_of_roof(record).measurements[2].processes.size(), 4U);
}

}  // namespace
}  // namespace assay::compare
