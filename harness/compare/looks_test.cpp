// Tests of comparisons of rounds: several looks err no more often than a single one, and sides that
// ran in the same rounds are paired.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "harness/compare/compare.hpp"
#include "harness/compare/example_records.hpp"
#include "harness/compare/normalize.hpp"

namespace assay::compare {
namespace {

constexpr std::array<std::int64_t, 3> kLooks{12, 24, 48};

/// Two subjects in this many rounds; `other` takes `ratio` times as long.
report::BenchRecord rounds(std::mt19937_64& random, std::int64_t count, double ratio) {
  std::normal_distribution<double> noise(0, 0.02);
  report::BenchRecord record =
      record_of_rows({{.case_name = "a", .processes = count},
                      {.case_name = "a", .processes = count, .subject = "other"}});
  for (std::size_t side = 0; side < 2; ++side) {
    for (report::BenchProcess& process : record.measurements[side].processes)
      process.median = 100 * (side == 0 ? 1 : ratio) * std::exp(noise(random));
  }
  return record;
}

report::BenchRecord first(report::BenchRecord record, std::int64_t processes) {
  for (report::BenchMeasurement& row : record.measurements)
    row.processes.resize(static_cast<std::size_t>(processes));
  return record;
}

Verdict verdict_of(const report::BenchRecord& record, double margin = 0.02) {
  Options options;
  options.margin = margin;
  return compared_subjects(record, options).rows.at(0).cells.at(0).verdict;
}

/// True if any look at the same numbers finds a difference between equal programs.
bool errs(const report::BenchRecord& record) {
  return std::ranges::any_of(kLooks, [&](std::int64_t look) {
    const Verdict verdict = verdict_of(first(record, look), 0);
    return verdict != Verdict::kUndecided && verdict != Verdict::kSame;
  });
}

TEST(Looks, ErrTogetherAsSeldomAsOne) {
  constexpr int kTrials = 2000;
  std::mt19937_64 random(7);
  int corrected = 0;
  int naive = 0;
  for (int i = 0; i < kTrials; ++i) {
    report::BenchRecord record = rounds(random, kLooks.back(), 1);
    naive += errs(record) ? 1 : 0;
    record.meta.looks = kLooks.size();
    corrected += errs(record) ? 1 : 0;
  }
  // 5 % of 2000 are 100; more than 130 occur by chance once in a thousand times.
  EXPECT_LE(corrected, 130);
  EXPECT_GT(naive, 130);
}

TEST(Looks, FindADifferenceBeforeTheLast) {
  std::mt19937_64 random(7);
  int early = 0;
  for (int i = 0; i < 100; ++i) {
    report::BenchRecord record = rounds(random, kLooks.front(), 1.1);
    record.meta.looks = kLooks.size();
    early += verdict_of(record) == Verdict::kSlower ? 1 : 0;
  }
  EXPECT_GE(early, 90);
}

TEST(Looks, DivideAlphaAndSaySo) {
  std::mt19937_64 random(7);
  report::BenchRecord record = rounds(random, 12, 1);
  record.meta.looks = 3;
  report::BenchRecord other = record;
  other.meta.looks = 2;

  const Comparison within = compared_subjects(record);
  const Comparison between = compared(record, other);

  EXPECT_DOUBLE_EQ(within.alpha, 0.05 / 3);
  EXPECT_DOUBLE_EQ(between.alpha, 0.05 / 6);
  ASSERT_FALSE(within.labels.empty());
  EXPECT_TRUE(std::ranges::any_of(within.labels, [](const std::string& label) {
    return label.find("divided by its 3 looks") != std::string::npos;
  }));
}

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
