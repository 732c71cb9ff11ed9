// Tests causes of changes: what records on both sides say.
#include "harness/archive/history.hpp"

#include <gtest/gtest.h>

#include "harness/archive/causes.hpp"

namespace assay::archive {
namespace {

const SeriesName kHostTime{1, "mine", "", "dispatch/typed", "host.dispatch_ns", "ns", false, false};
const SeriesName kDeviceTime{2, "mine", "", "device/copy", "device.exec_ns", "ns", false, false};
constexpr double kFivePercent = 0.0488;

Point point(const std::string& commit) {
  Point made;
  made.circumstances.commit = commit;
  made.circumstances.compiler = "GNU 12";
  made.circumstances.machine = "node1";
  made.null_call_ns = 4;
  made.sm_clock_mhz = 1980;
  return made;
}

std::vector<Point> points(std::size_t count, const std::string& commit) {
  return std::vector<Point>(count, point(commit));
}

Reason cause_of(const std::vector<Point>& before, const std::vector<Point>& after,
                const SeriesName& name = kHostTime) {
  return reasons_of(before, after, name, kFivePercent).front();
}

TEST(Causes, ANewCommitIsCode) {
  const Reason reason = cause_of(points(4, "aaa"), points(3, "bbb"));

  EXPECT_EQ(reason.cause, Cause::kCode);
  EXPECT_EQ(reason.words, "between aaa and bbb");
}

TEST(Causes, AChangedCheckoutIsCode) {
  auto after = points(3, "aaa");
  for (Point& one : after) one.circumstances.dirty = true;

  EXPECT_EQ(cause_of(points(4, "aaa"), after).words, "between aaa and aaa+");
}

TEST(Causes, AnotherCompilerIsMethodEvenIfTheCommitIsAnother) {
  auto after = points(3, "bbb");
  for (Point& one : after) one.circumstances.compiler = "GNU 13";

  const auto reasons = reasons_of(points(4, "aaa"), after, kHostTime, kFivePercent);

  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons[0].cause, Cause::kMethod);
  EXPECT_EQ(reasons[0].words, "compiler: GNU 12 before, GNU 13 behind it");
  EXPECT_EQ(reasons[1].cause, Cause::kCode);
}

TEST(Causes, AnotherMachineIsMachine) {
  auto after = points(3, "aaa");
  for (Point& one : after) one.circumstances.machine = "node2";

  EXPECT_EQ(cause_of(points(4, "aaa"), after).cause, Cause::kMachine);
}

TEST(Causes, AChangePlacedARunTooEarlyIsStillThatOfTheCompiler) {
  auto after = points(4, "aaa");
  for (std::size_t i = 1; i < after.size(); ++i) after[i].circumstances.compiler = "GNU 13";

  EXPECT_EQ(cause_of(points(4, "aaa"), after).cause, Cause::kMethod);
}

TEST(Causes, WhatWasOtherwiseLongBeforeIsNone) {
  auto before = points(9, "aaa");
  before[2].circumstances.compiler = "GNU 11";

  EXPECT_EQ(cause_of(before, points(3, "bbb")).cause, Cause::kCode);
}

TEST(Causes, ASlowerPointerCallIsTheMachineForHostTimes) {
  auto after = points(3, "bbb");
  for (Point& one : after) one.null_call_ns = 4.18;

  EXPECT_EQ(cause_of(points(4, "aaa"), after).cause, Cause::kMachine);
  EXPECT_EQ(cause_of(points(4, "aaa"), after, kDeviceTime).cause, Cause::kCode);
  for (Point& one : after) one.null_call_ns = 3.8;  // in the other direction
  EXPECT_EQ(cause_of(points(4, "aaa"), after).cause, Cause::kCode);
  for (Point& one : after) one.null_call_ns = 4.02;  // by too little
  EXPECT_EQ(cause_of(points(4, "aaa"), after).cause, Cause::kCode);
}

TEST(Causes, ALowerClockIsTheMachineForDeviceTimes) {
  auto after = points(3, "bbb");
  for (Point& one : after) one.sm_clock_mhz = 1885;
  after.front().throttled_by = "power";

  const Reason reason = cause_of(points(4, "aaa"), after, kDeviceTime);

  EXPECT_EQ(reason.cause, Cause::kMachine);
  EXPECT_EQ(reason.words,
            "the GPU's clock was 1980 MHz before and 1885 MHz behind it, limited by power");
  EXPECT_EQ(cause_of(points(4, "aaa"), after, kHostTime).cause, Cause::kCode);
}

TEST(Causes, NothingKnownIsNoise) {
  EXPECT_EQ(cause_of(points(4, "aaa"), points(3, "aaa")).cause, Cause::kNoise);
}

}  // namespace
}  // namespace assay::archive
