// Tests of the text next to the numbers in the table of a bench record.
#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"
#include "harness/report/bench/record_example.hpp"

namespace assay::report {
namespace {

void expect_holds(const std::string& text, const std::string& part) {
  EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
}

TEST(BenchText, ANumberHasItsIntervalItsMultipleAndItsProcesses) {
  const std::string text = to_text(bench_example());

  expect_holds(
      text, "dispatch/typed/tensors=2/cache=hit  mine          100        99.5 - 102       25.1 ");
  expect_holds(text, "       25.1                 -         2\n");
}

TEST(BenchText, WhatMovesBytesHasABandwidth) {
  BenchRecord record = bench_example();
  record.measurements[0].bytes = 40200;

  expect_holds(to_text(record), "         2    400 GB/s\n");
}

BenchMeasurement row(const char* name, const char* quantity, double ns) {
  BenchMeasurement made = measured_example("mine", ns);
  made.case_name = name;
  made.axes = {};
  made.quantity = quantity;
  return made;
}

TEST(BenchText, WhatHasAFloorSaysHowFarItIsFromIt) {
  BenchRecord record = bench_example();
  record.measurements = {row("launch/kernel", "host.launch_ns", 200),
                         row("launch/step", "host.launch_ns", 500),
                         row("graph/kernel", "graph.node_ns", 50),
                         row("device/event_pair", "device.exec_ns", 10),
                         row("device/update_scale", "device.exec_ns", 25),
                         row("device/copy", "device.exec_ns", 100),
                         row("device/unscale", "device.exec_ns", 200),
                         row("device/unscale_at", "device.exec_ns", 20),
                         row("device/copy_in", "device.exec_ns", 30)};
  for (const std::size_t i : {5U, 6U}) record.measurements[i].bytes = 4000;
  record.measurements[7].bytes = 40;
  record.measurements[8].bytes = 3000;

  const std::string text = to_text(record);

  expect_holds(text, "        2   2.50 launches\n");
  expect_holds(text, "        2   0.25 launches\n");
  expect_holds(text, "        2   2.50 event pairs\n");
  expect_holds(text, "        2   40.0 GB/s, 100 % of the copy\n");
  expect_holds(text, "        2   20.0 GB/s, 50 % of the copy\n");
  expect_holds(text, "        2   2.00 GB/s,   2.00 event pairs\n");
  expect_holds(text, "        2    100 GB/s,   3.00 event pairs\n");
  for (const std::string floor : {"launch/kernel", "device/event_pair"}) {
    const auto at = text.find(floor);
    EXPECT_TRUE(text.substr(at, text.find('\n', at) - at).ends_with(" 2")) << text;
  }
}

TEST(BenchText, AFloorIsOfTheSameSubject) {
  BenchRecord record = bench_example();
  record.measurements = {row("launch/kernel", "host.launch_ns", 200),
                         row("launch/step", "host.launch_ns", 500)};
  record.measurements[0].subject = "mine#2";

  EXPECT_FALSE(holds(to_text(record), "launches"));
}

TEST(BenchText, AReasonIsOneLine) {
  BenchRecord record = bench_example();
  for (BenchMeasurement& row : record.measurements) row.reason = "no\nPASS 9 of 9\x1b[2J";

  EXPECT_FALSE(holds(to_text(record), "\nPASS"));
  expect_holds(to_text(record), "- no\\x0aPASS 9 of 9\\x1b[2J\n");
}

TEST(BenchText, WhatHasNoNumberSaysWhy) {
  const std::string text = to_text(bench_example());

  expect_holds(text, "mine      - built without \"CUDA\"\n");
  expect_holds(text, "mine#2    FAILED: built without \"CUDA\"\n");
}

TEST(BenchText, TheMachineTheFloorAndTheWarningsStandBesideTheNumbers) {
  const std::string text = to_text(bench_example());

  expect_holds(text, "a machine; ");
  expect_holds(text, "null call: 4.00 ns\n");
  expect_holds(text, "identical subjects differ by up to 1.0 % (1 pairs)\n");
  expect_holds(text, "warning: it is loaded\nwarning: it is a guest\n");
}

TEST(BenchText, ImaginaryNumbersSaySoFirst) {
  BenchRecord record = bench_example();
  EXPECT_TRUE(to_text(record).starts_with("SYNTHETIC"));

  record.synthetic = false;
  EXPECT_FALSE(to_text(record).starts_with("SYNTHETIC"));
}

}  // namespace
}  // namespace assay::report
