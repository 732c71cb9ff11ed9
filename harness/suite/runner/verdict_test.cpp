// Tests of verdicts: exit code, word and line.
#include "harness/suite/runner/verdict.hpp"

#include <gtest/gtest.h>

#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

void add(Tally& tally, const Case& test, Outcome outcome, bool excused = false,
         bool required = false) {
  CaseResult result;
  result.test = &test;
  result.outcome = outcome;
  result.excused = excused;
  result.required = required;
  tally.add(result);
  ++tally.planned;
}

const Case& case_of_area(const std::string& area) {
  static std::map<std::string, Case> cases;
  Case& test = cases[area];
  test.id = area + "/one";
  return test;
}

/// An unsupported case that counts as a failure.
Tally tally_of(std::initializer_list<Outcome> outcomes) {
  Tally tally;
  for (const Outcome outcome : outcomes) add(tally, case_of_area("amp"), outcome, false, true);
  return tally;
}

std::string line_of(const Tally& tally) { return verdict_line("mine", tally, {1, 2, {}}); }

TEST(Verdict, IsNegativeForEveryOutcomeThatIsNoPass) {
  EXPECT_EQ(tally_of({Outcome::kPass}).exit_code(), kExitOk);
  EXPECT_EQ(tally_of({Outcome::kPass, Outcome::kWaived}).exit_code(), kExitOk);
  for (const Outcome bad : {Outcome::kFail, Outcome::kCrash, Outcome::kTimeout, Outcome::kFlaky,
                            Outcome::kUnsupported}) {
    EXPECT_EQ(tally_of({Outcome::kPass, bad}).exit_code(), kExitFailure) << name_of(bad);
  }
  EXPECT_EQ(tally_of({Outcome::kFail, Outcome::kInternal}).exit_code(), kExitInternal);
}

TEST(Verdict, IsThatNothingRanWhereNothingPassed) {
  Tally excused, unanswered;
  add(excused, case_of_area("amp"), Outcome::kUnsupported, true);
  add(unanswered, case_of_area("amp"), Outcome::kUnsupported);
  unanswered.partial = true;

  EXPECT_EQ(tally_of({}).exit_code(), kExitNothingRan);
  EXPECT_EQ(excused.exit_code(), kExitNothingRan);
  EXPECT_EQ(unanswered.exit_code(), kExitNothingRan);
  EXPECT_EQ(tally_of({Outcome::kWaived}).exit_code(), kExitNothingRan);
}

TEST(Verdict, IsIncompleteWhereSomethingWentUnanswered) {
  Tally tally;
  add(tally, case_of_area("amp"), Outcome::kPass);
  add(tally, case_of_area("core"), Outcome::kPass);
  add(tally, case_of_area("core"), Outcome::kUnsupported);

  EXPECT_EQ(tally.exit_code(), kExitIncomplete);
  EXPECT_TRUE(line_of(tally).starts_with(
      "INCOMPLETE in core: 2 of 3 cases pass on mine, 1 unsupported (1 not excused); "))
      << line_of(tally);
  tally.partial = true;
  EXPECT_EQ(tally.exit_code(), kExitOk);
  EXPECT_EQ(tally.verdict(), "INCOMPLETE");
  EXPECT_TRUE(line_of(tally).starts_with("INCOMPLETE in core, as --partial allows: "))
      << line_of(tally);
  add(tally, case_of_area("core"), Outcome::kFail);
  EXPECT_EQ(tally.exit_code(), kExitFailure);
}

TEST(Verdict, IsIncompleteWithoutAllShardsWhateverIsAllowed) {
  Tally tally = tally_of({Outcome::kPass});
  tally.partial = true;
  tally.planned = 3;
  tally.missing_shards = {"2/3", "3/3"};

  EXPECT_EQ(tally.exit_code(), kExitIncomplete);
  EXPECT_TRUE(line_of(tally).starts_with(
      "INCOMPLETE: 1 of 3 cases pass on mine, 2 not run, without shards 2/3, 3/3;"))
      << line_of(tally);
  add(tally, case_of_area("amp"), Outcome::kFail);
  EXPECT_EQ(tally.exit_code(), kExitFailure);
  EXPECT_TRUE(line_of(tally).find("without shards 2/3, 3/3") != std::string::npos);
}

TEST(Verdict, SaysWhatTheProfileLeft) {
  Tally tally = tally_of({Outcome::kPass});
  tally.profile = {"training", 41, 52};

  EXPECT_TRUE(line_of(tally).starts_with("CONFORMS in amp (profile training: 41 of 52 cases): 1 "))
      << line_of(tally);
  add(tally, case_of_area("amp"), Outcome::kFail);
  EXPECT_TRUE(line_of(tally).starts_with("FAILS (profile training: 41 of 52 cases): 1 of 2 "))
      << line_of(tally);
}

TEST(Verdict, NamesTheAreasThatWereAnsweredInFullAndInPart) {
  Tally tally;
  for (const char* area : {"amp", "core", "optim", "scaler"}) {
    add(tally, case_of_area(area), Outcome::kPass);
  }
  EXPECT_TRUE(line_of(tally).starts_with("CONFORMS in amp, core, optim, scaler: "));

  add(tally, case_of_area("core"), Outcome::kUnsupported, true);
  add(tally, case_of_area("optim"), Outcome::kWaived);
  add(tally, case_of_area("module"), Outcome::kUnsupported, true);
  tally.narrowed = {"scaler"};

  EXPECT_TRUE(line_of(tally).starts_with("CONFORMS in amp and part of core, optim, scaler: "))
      << line_of(tally);
  tally.narrowed.insert("amp");
  EXPECT_TRUE(line_of(tally).starts_with("CONFORMS in part of amp, core, optim, scaler: "));
}

TEST(Verdict, IsOneLineThatCountsEverything) {
  Tally tally = tally_of({Outcome::kPass, Outcome::kPass, Outcome::kFail, Outcome::kUnsupported});
  tally.not_applicable = 4;
  tally.unclaimed = 70;
  tally.duration = std::chrono::milliseconds(1240);

  const std::string line = verdict_line("mine", tally, {3, 5, {"AMP-105", "SCL-301"}});

  EXPECT_EQ(line,
            "FAILS: 2 of 4 cases pass on mine, 1 fail, 1 unsupported (1 not excused), 4 not "
            "applicable, 70 of unclaimed areas; 3 of 5 clauses witnessed (2 holes); 1.2 s");
}

}  // namespace
}  // namespace assay
