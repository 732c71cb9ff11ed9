// Tests of pairing, verdicts, and missing numbers.
#include "harness/compare/compare.hpp"

#include <gtest/gtest.h>

#include "harness/compare/example_records.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;
using report::BenchStatus;

Verdict verdict_in(const Comparison& comparison, const std::string& name) {
  for (const Row& row : comparison.rows) {
    if (row.name == name) return row.cells.front().verdict;
  }
  ADD_FAILURE() << "no row " << name;
  return Verdict::kRefused;
}

TEST(Compare, FindsWhatIsSlowerFasterAndTheSame) {
  const auto before = record_of_rows({{"slow", 100}, {"fast", 100}, {"same", 100}});
  const auto after = record_of_rows({{"slow", 105}, {"fast", 95}, {"same", 100.3}});

  const Comparison found = compared(before, after);

  EXPECT_EQ(verdict_in(found, "slow"), Verdict::kSlower);
  EXPECT_EQ(verdict_in(found, "fast"), Verdict::kFaster);
  EXPECT_EQ(verdict_in(found, "same"), Verdict::kSame);
  EXPECT_NEAR(*found.rows[0].cells[0].ratio, 1.05, 1e-9);
  EXPECT_LT(*found.rows[0].cells[0].low, 1.05);
  EXPECT_GT(*found.rows[0].cells[0].high, 1.05);
  EXPECT_EQ(found.tests, 3);
}

/// A record in which `mine` and `other` ran twelve rounds, on a machine with two speeds.
BenchRecord two_speeds(double ratio) {
  auto record = record_of_rows({{"a", 100, 0, 12, "mine"}, {"a", 100, 0, 12, "other"}});
  for (std::size_t i = 0; i < 12; ++i) {
    const double speed = i % 2 == 0 ? 100 : 150;
    const double wobble = 1 + 0.0001 * static_cast<double>(i);
    record.measurements[0].processes[i].median = speed;
    record.measurements[1].processes[i].median = speed * ratio * wobble;
  }
  return record;
}

TEST(Compare, PairsTheRoundsOfOneRun) {
  const BenchRecord record = two_speeds(1.05);
  const Comparison found = compared_subjects(record);

  EXPECT_EQ(verdict_in(found, "a"), Verdict::kSlower);
  EXPECT_TRUE(found.rows[0].cells[0].by_round);
  EXPECT_DOUBLE_EQ(*found.rows[0].cells[0].p, 2.0 / 4096);
  EXPECT_TRUE(holds(found.labels.back(), "round by round"));
}

TEST(Compare, DoesNotPairRoundsOfOtherRuns) {
  const BenchRecord record = two_speeds(1.05);
  const BenchRecord again = record;
  const Comparison found = compare({{"mine", "x.json", &record, "subject", "mine"},
                                    {"other", "y.json", &again, "subject", "other"}},
                                   {});

  EXPECT_FALSE(found.rows[0].cells[0].by_round);
  EXPECT_NE(*found.rows[0].cells[0].p, 2.0 / 4096);
  EXPECT_TRUE(found.labels.empty() || found.labels.back().find("round") == std::string::npos);
}

TEST(Compare, LeavesOutRoundsThatOneSideLacks) {
  BenchRecord record = two_speeds(1.05);
  auto& mine = record.measurements[0].processes;
  mine.erase(mine.begin(), mine.begin() + 2);
  const Comparison found = compared_subjects(record);

  EXPECT_EQ(verdict_in(found, "a"), Verdict::kSlower);
  EXPECT_DOUBLE_EQ(*found.rows[0].cells[0].p, 2.0 / 1024);
}

TEST(Compare, SaysChangedWhereADifferenceReachesOverTheMargin) {
  const auto before = record_of_rows({{"a", 100, 0.01}});
  const auto after = record_of_rows({{"a", 102, 0.01}});

  EXPECT_EQ(verdict_in(compared(before, after), "a"), Verdict::kChanged);
}

TEST(Compare, SaysHowManyMoreProcessesWouldDecide) {
  const auto before = record_of_rows({{"a", 100, 0.2}});
  const auto after = record_of_rows({{"a", 103, 0.2}});

  const Comparison found = compared(before, after);

  EXPECT_EQ(verdict_in(found, "a"), Verdict::kUndecided);
  EXPECT_GT(found.rows[0].cells[0].more.value(), 10);
}

TEST(Compare, HigherIsBetterWhereTheRecordSaysSo) {
  auto before = record_of_rows({{"copy", 100}});
  auto after = record_of_rows({{"copy", 90}});
  before.measurements[0].better = after.measurements[0].better = "higher";

  EXPECT_EQ(verdict_in(compared(before, after), "copy"), Verdict::kSlower);
  EXPECT_EQ(verdict_in(compared(after, before), "copy"), Verdict::kFaster);
}

TEST(Compare, TheOrderOfAxesIsNoName) {
  const auto before =
      record_of_rows({{"a", 100, 0, 10, "mine", {{"x", std::int64_t{1}}, {"y", "on"}}}});
  const auto after =
      record_of_rows({{"a", 100, 0, 10, "mine", {{"y", "on"}, {"x", std::int64_t{1}}}}});

  const Comparison found = compared(before, after);

  ASSERT_EQ(found.rows.size(), 1);
  EXPECT_EQ(found.rows[0].name, "a/x=1/y=on");
}

TEST(Compare, ACaseWithoutANumberIsNotCompared) {
  const auto before = record_of({measured({"a"}), unmeasured("b", BenchStatus::kUnsupported)});
  const auto after =
      record_of({unmeasured("a", BenchStatus::kFailed), unmeasured("b", BenchStatus::kSimulated)});

  const Comparison found = compared(before, after);

  EXPECT_EQ(verdict_in(found, "a"), Verdict::kMissing);
  EXPECT_EQ(verdict_in(found, "b"), Verdict::kNoNumber);
  EXPECT_TRUE(found.rows[0].cells[0].number.failed);
  EXPECT_EQ(found.compared(), 0);
}

TEST(Compare, AWrongChecksumOrATimeOfZeroIsNoNumber) {
  const auto before = record_of_rows({{"a"}, {"b"}});
  auto after = before;
  after.measurements[0].processes[3].checksum_ok = false;
  after.measurements[1].processes[3].median = 0;

  const Comparison found = compared(before, after);

  EXPECT_EQ(found.count(Verdict::kMissing), 2);
  EXPECT_TRUE(found.rows[0].cells[0].number.failed);
  EXPECT_EQ(found.rows[1].cells[0].number.reason, "a process measured zero");
}

TEST(Compare, AnAbsurdNumberHasNoRatio) {
  const auto before = record_of_rows({{"a"}, {"b"}});
  auto after = before;
  after.measurements[0].processes[3].median = 5e-324;
  after.measurements[1].processes[3].median = 1e308;

  const Comparison found = compared(before, after);

  EXPECT_EQ(found.count(Verdict::kMissing), 2);
  EXPECT_EQ(found.rows[0].cells[0].number.reason, "a process measured an impossible value");
}

TEST(Compare, ARowTwiceInARecordIsRefused) {
  const auto before = record_of_rows({{"a"}, {"a"}});

  EXPECT_THROW(compared(before, before), Invalid);
}

TEST(Compare, TestsOfAllColumnsAreOneFamily) {
  const auto record = record_of_rows({{"a"}, {"b"}});
  const Comparison found = compare(
      {{"1", "", &record, "", ""}, {"2", "", &record, "", ""}, {"3", "", &record, "", ""}}, {});

  EXPECT_EQ(found.tests, 4);
  EXPECT_EQ(found.rows[0].cells.size(), 2);
}

TEST(Compare, ALargeFamilyAsksForStrongerEvidence) {
  // Seven processes per side allow p = 2 / 3432, which is sufficient for 85 tests.
  std::vector<ExampleRow> rows;
  for (int i = 0; i < 86; ++i) rows.push_back({"case" + std::to_string(i), 100, 0.005, 7});
  const auto before = record_of_rows(rows);
  rows[0].center = 110;
  const auto after = record_of_rows(rows);
  Options few;
  few.filters = {"case0", "case1"};

  EXPECT_EQ(verdict_in(compared(before, after), "case0"), Verdict::kUndecided);
  EXPECT_EQ(verdict_in(compared(before, after, few), "case0"), Verdict::kSlower);
}

TEST(Compare, ARuleGivesItsRowsAnotherMargin) {
  const auto before = record_of_rows({{"dispatch/a", 100}, {"event/a", 100}});
  const auto after = record_of_rows({{"dispatch/a", 105}, {"event/a", 105}});
  Options options;
  options.rules = {{"dispatch/*", "", 0.1}, {"event/*", "instr.*", 0.1}};

  const Comparison found = compared(before, after, options);

  EXPECT_EQ(verdict_in(found, "dispatch/a"), Verdict::kSame);
  EXPECT_EQ(verdict_in(found, "event/a"), Verdict::kSlower);
}

BenchRecord counting(double count, std::int64_t processes = 1) {
  BenchRecord record = record_of_rows({{"dispatch", count, 0, processes}});
  record.measurements[0].exact = true;
  record.measurements[0].quantity = "instr.count";
  return record;
}

TEST(CompareExact, OneProcessDecidesAndAnyDifferenceCounts) {
  EXPECT_EQ(verdict_in(compared(counting(1000), counting(1000)), "dispatch"), Verdict::kSame);
  EXPECT_EQ(verdict_in(compared(counting(1000), counting(1001)), "dispatch"), Verdict::kMore);
  EXPECT_EQ(verdict_in(compared(counting(1000), counting(999)), "dispatch"), Verdict::kFewer);
  EXPECT_EQ(compared(counting(1000), counting(1000)).tests, 0);
}

TEST(CompareExact, OfWhichMoreWouldBeBetterIsJudgedAsATimeIs) {
  BenchRecord before = counting(1000);
  BenchRecord after = counting(1001);
  before.measurements[0].better = after.measurements[0].better = "higher";

  EXPECT_EQ(verdict_in(compared(before, after), "dispatch"), Verdict::kFaster);
}

TEST(CompareExact, HasAMarginOfItsOwn) {
  Options options;
  options.exact_margin = 0.01;

  EXPECT_EQ(verdict_in(compared(counting(1000), counting(1010), options), "dispatch"),
            Verdict::kSame);
  EXPECT_EQ(verdict_in(compared(counting(1000), counting(1011), options), "dispatch"),
            Verdict::kMore);
}

TEST(CompareExact, ZeroIsACount) {
  EXPECT_EQ(verdict_in(compared(counting(0), counting(0)), "dispatch"), Verdict::kSame);
  EXPECT_EQ(verdict_in(compared(counting(0), counting(1)), "dispatch"), Verdict::kMore);
}

TEST(CompareExact, CountsThatVaryAreJudgedByTheirEnds) {
  BenchRecord before = counting(1000, 2);
  before.measurements[0].processes[1].median = 1010;

  EXPECT_EQ(verdict_in(compared(before, counting(1005)), "dispatch"), Verdict::kChanged);
  EXPECT_EQ(verdict_in(compared(before, counting(1011)), "dispatch"), Verdict::kMore);
}

TEST(CompareMean, IsOfOneQuantityAndSubjectWithCasesAsClusters) {
  std::vector<ExampleRow> rows;
  for (std::int64_t i = 0; i < 6; ++i) rows.push_back({"case", 100, 0, 10, "mine", {{"n", i}}});
  rows.push_back({"case", 100, 0, 10, "other"});
  const auto before = record_of_rows(rows);
  for (ExampleRow& row : rows) row.center *= row.subject == "mine" ? 1.1 : 1.2;
  const auto after = record_of_rows(rows);

  const Comparison found = compared(before, after);

  ASSERT_EQ(found.summaries.size(), 2);
  EXPECT_NEAR(found.summaries[0].geomean.value, 1.1, 1e-9);
  EXPECT_EQ(found.summaries[0].geomean.ratios, 6);
  EXPECT_EQ(found.summaries[0].geomean.clusters, 1);
  EXPECT_NEAR(found.summaries[1].geomean.value, 1.2, 1e-9);
}

TEST(Compare, NeedsTwoSidesAndMarginsThatAreSome) {
  const auto record = record_of_rows({{"a"}});
  Options negative;
  negative.margin = -0.1;

  EXPECT_THROW(compare({{"a", "", &record, "", ""}}, {}), std::invalid_argument);
  EXPECT_THROW(compared(record, record, negative), std::invalid_argument);
}

}  // namespace
}  // namespace assay::compare
