// Tests that the gate never passes by accident.
#include "harness/compare/gate.hpp"

#include <gtest/gtest.h>

#include "harness/compare/example_records.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;
using report::BenchStatus;

struct Gate {
  Thresholds thresholds{0.05, 0.02, 0, {FailOn::kRegression}, {}, {}, {}};
  int exit_code = -1;
  std::string refusal;
  std::vector<Outcome::Finding> findings;

  /// Does the same as the command.
  Gate& judge(const BenchRecord& before, const BenchRecord& after) {
    try {
      const Comparison found = compared(before, after, options_of(thresholds));
      refuse_weak(found, thresholds);
      findings = findings_of(found, thresholds);
      exit_code = exit_code_of(found, findings);
    } catch (const Invalid& error) {
      refusal = error.what();
    }
    return *this;
  }
};

int exit_for(const BenchRecord& before, const BenchRecord& after) {
  return Gate().judge(before, after).exit_code;
}

TEST(Gate, FailsOnMoreInstructions) {
  auto before = record_of_rows({{"a", 1000, 0, 1}});
  auto after = record_of_rows({{"a", 1001, 0, 1}});
  before.measurements[0].exact = after.measurements[0].exact = true;
  Gate strict;
  strict.thresholds.fail_on.insert(FailOn::kWin);

  EXPECT_EQ(exit_for(before, before), 0);
  EXPECT_EQ(exit_for(before, after), 1);
  EXPECT_EQ(exit_for(after, before), 0);
  EXPECT_EQ(strict.judge(after, before).exit_code, 1);
  EXPECT_EQ(strict.findings.at(0).text.find("mine a (host.dispatch_ns): fewer, ratio 0.9990"), 0);
}

TEST(Gate, ARegressionCountsMoreThanWhatIsUndecided) {
  Gate strict;
  strict.thresholds.fail_on.insert(FailOn::kUndecided);
  strict.judge(record_of_rows({{"a", 100, 0.2}, {"b"}}),
               record_of_rows({{"a", 103, 0.2}, {"b", 110}}));

  EXPECT_EQ(strict.exit_code, 1);
}

TEST(Gate, PassesWhatMayBeMissing) {
  const auto before = record_of_rows({{"a"}, {"stream/b"}, {"stream/c"}});
  Gate allowing;
  allowing.thresholds.allow_missing = {"stream/*"};

  EXPECT_EQ(allowing.judge(before, record_of_rows({{"a"}})).exit_code, 0);
  EXPECT_EQ(allowing.findings.size(), 2);
  EXPECT_EQ(allowing.judge(before, record_of_rows({{"stream/b"}, {"stream/c"}})).exit_code, 1);
}

TEST(Gate, FailsOnALoopThatWentWrongWhateverItIsAskedFor) {
  Gate lax;
  lax.thresholds.fail_on = {FailOn::kRegression};
  const auto failed = record_of({measured({"a"}), unmeasured("b", BenchStatus::kFailed)});

  EXPECT_EQ(lax.judge(record_of_rows({{"a"}, {"b"}}), failed).exit_code, 1);
  EXPECT_EQ(lax.judge(failed, failed).exit_code, 1);
}

TEST(Gate, FailsOnABaselineThatWentWrong) {
  const auto good = record_of_rows({{"a"}, {"b"}});
  const auto failed = record_of({measured({"a"}), unmeasured("b", BenchStatus::kFailed)});
  auto unchecked = good;
  unchecked.measurements[1].checked = false;
  Gate lax;
  lax.thresholds.allow_missing = {"b"};

  EXPECT_EQ(lax.judge(failed, good).exit_code, 1);
  EXPECT_TRUE(holds(lax.findings.at(0).text, "failed in the baseline"));
  EXPECT_EQ(lax.judge(unchecked, good).exit_code, 1);
}

TEST(Gate, RefusesWeakRuns) {
  const auto good = record_of_rows({{"a"}});
  BenchRecord quick = good;
  quick.meta.quick = true;
  BenchRecord interrupted = good;
  interrupted.meta.interrupted = true;
  BenchRecord incomplete = good;
  incomplete.meta.complete = false;

  for (const BenchRecord& weak : {quick, interrupted, incomplete}) {
    EXPECT_NE(Gate().judge(good, weak).refusal, "");
    EXPECT_NE(Gate().judge(weak, good).refusal, "");
  }
}

TEST(Gate, RefusesFewerThanSevenProcesses) {
  const auto seven = record_of_rows({{"a", 100, 0.005, 7}});
  const auto six = record_of_rows({{"a", 100, 0.005, 6}});

  EXPECT_EQ(Gate().judge(seven, seven).refusal, "");
  EXPECT_TRUE(holds(Gate().judge(seven, six).refusal, "after has 6 processes"));
  EXPECT_TRUE(holds(Gate().judge(six, seven).refusal, "before has 6 processes"));
}

TEST(Gate, RefusesSoFewProcessesThatNothingCouldFail) {
  std::vector<ExampleRow> rows;
  std::vector<std::string> names;
  for (int i = 0; i < 86; ++i) names.push_back("case" + std::to_string(i));
  for (const std::string& name : names) rows.push_back({name, 100, 0.005, 7});
  const auto many = record_of_rows(rows);
  rows.pop_back();
  const auto fewer = record_of_rows(rows);

  EXPECT_EQ(Gate().judge(fewer, fewer).refusal, "");
  EXPECT_TRUE(
      holds(Gate().judge(many, many).refusal, "7 and 7 processes could confirm no regression"));
}

TEST(Gate, RefusesAMarginBelowTheNoiseFloor) {
  auto record = record_of_rows({{"a"}, {"b"}});
  record.noise_floor = report::BenchNoiseFloor{0.03, {}};
  Gate wide;
  wide.thresholds.margin = 0.03;
  Gate one_row = wide;
  one_row.thresholds.rules = {{"b", "", 0.02}};
  one_row.thresholds.places = {"gate.toml:1"};

  EXPECT_TRUE(holds(Gate().judge(record, record).refusal, "noise floor of 3 %"));
  EXPECT_EQ(wide.judge(record, record).exit_code, 0);
  EXPECT_TRUE(holds(one_row.judge(record, record).refusal, "for b"));
}

TEST(Gate, RefusesNumbersThatCannotBeCompared) {
  const auto before = record_of_rows({{"a"}, {"b", 100, 0.005, 10, "other"}});
  auto after = before;
  after.subjects[1].via = "python";

  EXPECT_TRUE(holds(Gate().judge(before, after).refusal, "cannot be compared"));
}

TEST(Gate, RefusesTwoCopiesOfARun) {
  const auto record = record_of_rows({{"a"}});
  const auto copy = record;
  auto later = record;
  later.meta.started = "later";

  EXPECT_EQ(Gate().judge(record, copy).refusal,
            "before and after are the same run: nothing is compared");
  EXPECT_EQ(Gate().judge(record, later).refusal, "");
}

TEST(Gate, RefusesTwoCopiesOfCounts) {
  auto record = record_of_rows({{"a", 1000, 0, 1}});
  record.measurements[0].exact = true;
  const auto copy = record;
  auto longer = record;
  longer.meta.seconds += 1;

  EXPECT_EQ(Gate().judge(record, copy).refusal,
            "before and after are the same run: nothing is compared");
  EXPECT_EQ(Gate().judge(record, longer).refusal, "");
}

TEST(Gate, TheLineOpensWithTheVerdict) {
  const auto before = record_of_rows({{"a"}});
  const Comparison same = compared(before, before);

  EXPECT_EQ(line_of(same, 0, true).find("PASS 1 of 1 pairs compared: 1 same; margin 2 %"), 0);
  EXPECT_EQ(line_of(same, 1, true).find("FAIL "), 0);
  EXPECT_EQ(line_of(same, kExitUndecided, true).find("UNDECIDED "), 0);
  EXPECT_EQ(line_of(same, 5, true).find("NOTHING COMPARED "), 0);
  EXPECT_EQ(line_of(same, 0, false).find("COMPARED "), 0);
}

}  // namespace
}  // namespace assay::compare
