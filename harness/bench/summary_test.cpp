// Tests of figures over processes, the noise floor, and warnings.
#include "harness/bench/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "harness/report/bench/record_example.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

BenchMeasurement cell_of(const std::vector<double>& medians, double null_call = 2) {
  BenchMeasurement cell;
  cell.case_name = "dispatch/typed";
  cell.subject = "mine";
  cell.status = BenchStatus::kMeasured;
  for (const double median : medians) {
    report::BenchProcess process;
    process.median = median;
    process.null_call_ns = null_call;
    cell.processes.push_back(process);
  }
  return cell;
}

BenchMeasurement centered(const std::string& name, const std::string& subject, double center) {
  BenchMeasurement cell = report::measured_example(subject, center);
  cell.case_name = name;
  return cell;
}

std::vector<std::string> kinds(const report::BenchRecord& record) {
  std::vector<std::string> found;
  for (const report::BenchWarning& warning : warnings_about(record)) found.push_back(warning.kind);
  return found;
}

report::BenchRecord quiet() {
  report::BenchRecord record = report::bench_example();
  record.meta.processes = 10;
  record.environment.cores = 2;
  record.environment.virtualization = "none";
  record.environment.governor = "performance";
  record.subjects[1].build.reset();
  return record;
}

TEST(BenchSummary, TheCenterIsTheMedianOfTheProcesses) {
  BenchMeasurement cell = cell_of({9, 1, 2, 3, 4, 5, 6, 7, 8, 10});

  summarize(cell);

  EXPECT_EQ(cell.center, 5.5);
  EXPECT_EQ(cell.interval.value().low, 2);
  EXPECT_EQ(cell.interval.value().high, 9);
  EXPECT_EQ(cell.null_calls.value().center, 2.75);
  EXPECT_EQ(cell.null_calls.value().interval.value().high, 4.5);
}

TEST(BenchSummary, FiveProcessesGiveNoInterval) {
  BenchMeasurement five = cell_of({1, 2, 3, 4, 5});
  BenchMeasurement six = cell_of({1, 2, 3, 4, 5, 6});

  summarize(five);
  summarize(six);

  EXPECT_EQ(five.center, 3);
  EXPECT_FALSE(five.interval.has_value());
  EXPECT_EQ(six.interval.value().low, 1);
  EXPECT_EQ(six.interval.value().high, 6);
}

TEST(BenchSummary, WhatWasNotMeasuredGetsNoNumber) {
  for (const BenchStatus status :
       {BenchStatus::kFailed, BenchStatus::kUnsupported, BenchStatus::kNotRun}) {
    BenchMeasurement cell = cell_of({1, 2, 3, 4, 5, 6});
    cell.status = status;

    summarize(cell);

    EXPECT_FALSE(cell.center.has_value());
    EXPECT_FALSE(cell.null_calls.has_value());
  }
}

TEST(BenchSummary, ANullCallOfNothingGivesNoMultiple) {
  BenchMeasurement cell = cell_of({1, 2}, 0);

  summarize(cell);

  EXPECT_FALSE(cell.null_calls.has_value());
}

TEST(BenchSummary, CalibrationIsAFigureOfEachFloor) {
  const report::BenchCalibration found = calibration_of({{20, 1, 1.5, 3}, {22, 1, 1.7, 5}});

  EXPECT_EQ(found.timer_cost_ns.value().center, 21);
  EXPECT_EQ(found.null_call_ns.value().medians, (std::vector<double>{3, 5}));
  EXPECT_FALSE(calibration_of({}).empty_loop_ns.has_value());
}

TEST(NoiseFloor, IsWhatCopiesDifferByWhicheverIsSlower) {
  const std::vector<report::BenchSubject> subjects{{"a", "a", "", "", "", {}, {}, {}},
                                                   {"a#2", "a", "", "", "", {}, "a", {}}};
  const std::vector<BenchMeasurement> cells{centered("x", "a", 100), centered("x", "a#2", 102),
                                            centered("y", "a", 105), centered("y", "a#2", 100)};

  const auto floor = noise_floor_of(subjects, cells);

  ASSERT_EQ(floor.value().pairs.size(), 2U);
  EXPECT_DOUBLE_EQ(floor->pairs[0].ratio, 1.02);
  EXPECT_DOUBLE_EQ(floor->relative, 1.05 - 1);
  EXPECT_EQ(floor->pairs[1].copy, "a#2");
}

TEST(NoiseFloor, NeedsBothOfAPair) {
  const std::vector<report::BenchSubject> subjects{{"a", "a", "", "", "", {}, {}, {}},
                                                   {"a#2", "a", "", "", "", {}, "a", {}}};
  auto lost = report::missing_example("a#2", BenchStatus::kFailed);
  lost.case_name = "x";

  EXPECT_FALSE(noise_floor_of(subjects, {centered("x", "a", 100), lost}).has_value());
  EXPECT_FALSE(noise_floor_of({subjects[0]}, {centered("x", "a", 100)}).has_value());
}

TEST(BenchWarnings, AQuietMachineAndAWholeRunGiveNone) {
  EXPECT_EQ(kinds(quiet()), std::vector<std::string>{});
}

TEST(BenchWarnings, EachTroubleIsNamed) {
  using Change = std::function<void(report::BenchRecord&)>;
  const std::vector<std::pair<std::string, Change>> changes{
      {"load", [](auto& record) { record.environment.load_start = 2.5; }},
      {"load", [](auto& record) { record.measurements[1].processes[1].load = 2.5; }},
      {"governor", [](auto& record) { record.environment.governor = "powersave"; }},
      {"virtual", [](auto& record) { record.environment.virtualization = "kvm"; }},
      {"debug", [](auto& record) { record.meta.build.build_type = "Debug"; }},
      {"dirty", [](auto& record) { record.meta.build.dirty = true; }},
      {"quick", [](auto& record) { record.meta.quick = true; }},
      {"interrupted", [](auto& record) { record.meta.interrupted = true; }},
      {"few_processes", [](auto& record) { record.meta.processes = 6; }}};
  for (const auto& [kind, change] : changes) {
    report::BenchRecord record = quiet();
    change(record);

    EXPECT_EQ(kinds(record), std::vector<std::string>{kind});
  }
}

TEST(BenchWarnings, TheBuildOfAnotherSubjectIsNamedWithIt) {
  report::BenchRecord record = quiet();
  record.subjects[1].build = report::BenchBuild{"0.0.9", "abc", true, "Release", "", ""};

  const auto warnings = warnings_about(record);

  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].kind, "dirty");
  EXPECT_TRUE(warnings[0].text.starts_with("the build of mine#2 "));
}

report::BenchRecord counts_of(const std::vector<double>& instructions) {
  report::BenchRecord record = quiet();
  record.meta.processes = 2;
  record.environment.load_start = 99;
  record.measurements = {cell_of(instructions)};
  record.measurements[0].exact = true;
  record.measurements[0].unit = "instructions";
  return record;
}

TEST(BenchWarnings, AQuickRunOfCountsIsLongEnough) {
  report::BenchRecord record = quiet();
  for (report::BenchMeasurement& row : record.measurements) row.exact = true;
  record.meta.quick = true;

  const auto found = kinds(record);
  EXPECT_EQ(std::ranges::count(found, "quick"), 0);
}

TEST(BenchWarnings, SpeakOfCountsOnlyWhereTheyDiffer) {
  EXPECT_EQ(kinds(counts_of({14390, 14390})), std::vector<std::string>{});
  EXPECT_EQ(kinds(counts_of({14390, 14390.5})), std::vector<std::string>{"not_repeatable"});
  EXPECT_EQ(warnings_about(counts_of({14390.5, 14390})).at(0).text,
            "dispatch/typed of mine took 14390 to 14390.5 instructions: not repeatable");
}

TEST(BenchWarnings, NameWhatHeldGpusBackAndHowOften) {
  report::BenchRecord record = quiet();
  record.environment.devices = {{"NVIDIA H200", 1980, true, true, true}};
  record.measurements = {cell_of({1, 2, 3})};
  record.measurements[0].processes[1].throttled_by = "power";
  record.measurements[0].processes[2].throttled_by = "heat";

  const auto warnings = warnings_about(record);

  ASSERT_EQ(kinds(record), (std::vector<std::string>{"throttled", "mig"}));
  EXPECT_EQ(warnings[0].text, "GPUs were throttled (heat, power) in 2 of 3 results");
  EXPECT_EQ(warnings[1].text, "NVIDIA H200 is partitioned (MIG)");
}

TEST(BenchWarnings, CountSamplesOfASlowClock) {
  report::BenchRecord record = quiet();
  record.environment.devices = {{"NVIDIA H200", 2000}, {"NVIDIA H200", 100}};
  record.measurements = {cell_of({1, 2}), cell_of({3})};
  record.measurements[0].quantity = "device.exec_ns";
  record.measurements[0].processes[0].sm_clocks_mhz = {1500, 1499, 345};
  record.measurements[0].processes[1].sm_clocks_mhz = {2000};
  record.measurements[1].processes[0].sm_clocks_mhz = {345};

  const auto warnings = warnings_about(record);

  ASSERT_EQ(kinds(record), std::vector<std::string>{"clock"});
  EXPECT_EQ(warnings[0].text, "the GPU's clock was below 3/4 of its 2000 MHz in 2 of 4 samples");
}

}  // namespace
}  // namespace assay::bench
