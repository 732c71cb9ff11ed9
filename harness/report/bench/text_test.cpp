// What the table of a bench record says beside its numbers.
#include <gtest/gtest.h>

#include "harness/report/bench/record_example.hpp"

namespace assay::report {
namespace {

void expect_holds(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
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
