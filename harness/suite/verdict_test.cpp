// One verdict: exit code, word and line.
#include "harness/suite/verdict.hpp"

#include <gtest/gtest.h>

#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

Tally tally_of(std::initializer_list<Outcome> outcomes) {
  static const Case test = case_of(send_one);
  Tally tally;
  for (const Outcome outcome : outcomes) {
    CaseResult result;
    result.test = &test;
    result.outcome = outcome;
    tally.add(result);
  }
  tally.planned = outcomes.size();
  return tally;
}

TEST(Verdict, IsNegativeForEveryOutcomeThatIsNoPass) {
  EXPECT_EQ(tally_of({Outcome::kPass}).exit_code(), kExitOk);
  EXPECT_EQ(tally_of({Outcome::kPass, Outcome::kWaived}).exit_code(), kExitOk);
  for (const Outcome bad : {Outcome::kFail, Outcome::kCrash, Outcome::kTimeout, Outcome::kFlaky,
                            Outcome::kUnsupported}) {
    EXPECT_EQ(tally_of({Outcome::kPass, bad}).exit_code(), kExitFailure) << name_of(bad);
  }
  EXPECT_EQ(tally_of({Outcome::kFail, Outcome::kInternal}).exit_code(), kExitInternal);
}

TEST(Verdict, IsThatNothingRanWhenNothingGaveAnAnswer) {
  Tally all_excused = tally_of({Outcome::kUnsupported});
  all_excused.unexcused = 0;

  EXPECT_EQ(tally_of({}).exit_code(), kExitNothingRan);
  EXPECT_EQ(all_excused.exit_code(), kExitNothingRan);
}

TEST(Verdict, IsOneLineThatCountsEverything) {
  Tally tally = tally_of({Outcome::kPass, Outcome::kPass, Outcome::kFail, Outcome::kUnsupported});
  tally.not_applicable = 4;
  tally.duration = std::chrono::milliseconds(1240);

  const std::string line = verdict_line("mine", tally, {3, 5, {"AMP-105", "SCL-301"}});

  EXPECT_EQ(line,
            "FAIL 2 of 4 cases on mine, 1 fail, 1 unsupported, 4 not applicable; 3 of 5 clauses "
            "witnessed (2 holes); 1.2 s");
}

}  // namespace
}  // namespace assay
