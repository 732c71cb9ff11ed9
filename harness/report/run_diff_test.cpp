// Tests of comparing runs of two subjects: pairing, changes, and rejected records.
#include "harness/report/run_diff.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"

namespace assay::report {
namespace {

CaseRecord case_of(const std::string& id, const std::string& outcome,
                   const std::string& contract = "2.11/cuda/strict") {
  CaseRecord test;
  test.id = id;
  test.contract = contract;
  test.outcome = outcome;
  test.excused = outcome == "unsupported";
  if (outcome == "fail") test.sentence = "differs";
  return test;
}

SubjectRecord subject_of(const std::string& typed, const std::string& name,
                         std::vector<CaseRecord> cases) {
  SubjectRecord subject;
  subject.subject = typed;
  subject.name = name;
  subject.planned = cases.size();
  subject.cases = std::move(cases);
  return subject;
}

std::vector<CaseRecord> passes() {
  return {case_of("amp/one", "pass"), case_of("amp/two", "pass"),
          case_of("amp/two", "pass", "2.4/cpu/strict")};
}

/// Two subjects with three passing cases each.
RunRecord whole_run() {
  RunRecord run;
  run.subjects = {subject_of("./first.so", "first", passes()),
                  subject_of("./second.so", "second", passes())};
  return run;
}

RunDiff compared(const RunRecord& before, const RunRecord& after, const DiffRules& rules = {}) {
  return diff_of({"a.json", before}, {"b.json", after}, rules);
}

std::string refusal(const RunRecord& before, const RunRecord& after, const DiffRules& rules = {}) {
  return error_of<NotComparable>([&] { compared(before, after, rules); });
}

TEST(RunDiff, PairsByNameWhateverTheOrder) {
  const RunRecord before = whole_run();
  RunRecord after = whole_run();
  std::swap(after.subjects[0], after.subjects[1]);
  after.subjects[0].cases[1].outcome = "fail";

  const RunDiff diff = compared(before, after);

  ASSERT_EQ(diff.of(Change::kNewFailure).size(), 1U);
  EXPECT_EQ(diff.of(Change::kNewFailure)[0].subject, "./second.so");
  EXPECT_EQ(diff.of(Change::kNewFailure)[0].contract, "2.11/cuda/strict");
  EXPECT_EQ(diff.unpaired(), 0U);
  EXPECT_TRUE(is_worse(diff, {}));
  EXPECT_FALSE(is_worse(compared(before, before), {}));
}

TEST(RunDiff, ListsFirstWhatATrainingMeets) {
  RunRecord before = whole_run();
  for (CaseRecord& test : before.subjects[0].cases) test.outcome = "pass";
  RunRecord after = before;
  for (CaseRecord& test : after.subjects[0].cases) test.outcome = "fail";
  after.subjects[0].cases.front().reach = "words";

  const std::vector<ChangedCase> rows = compared(before, after).of(Change::kNewFailure);

  ASSERT_GT(rows.size(), 1U);
  EXPECT_EQ(rows.front().reach, "");
  EXPECT_EQ(rows.back().id, after.subjects[0].cases.front().id);
  EXPECT_EQ(rows.back().reach, "words");
}

TEST(RunDiff, PairsWhatCallsItselfTheSame) {
  const RunRecord before = whole_run();
  RunRecord after = whole_run();
  after.subjects[0].subject = "./build/second.so";
  after.subjects[0].name = "second";
  after.subjects[1].subject = "./build/first.so";
  after.subjects[1].name = "first";

  const RunDiff diff = compared(before, after);

  EXPECT_EQ(diff.unpaired(), 0U);
  EXPECT_EQ(diff.subjects[0].name(), "./first.so and ./build/first.so");
  EXPECT_FALSE(is_worse(diff, {}));
}

TEST(RunDiff, KeepsRecordingsApartFromTheCasesOfTheSameSubject) {
  RunRecord before;
  before.subjects = {subject_of("x", "rt", passes()),
                     subject_of("x against recorded 2.11.0-cpu", "rt", passes())};
  RunRecord after = before;
  after.subjects[0].subject = "y";
  after.subjects[1].subject = "y against recorded 2.11.0-cpu";
  std::swap(after.subjects[0], after.subjects[1]);

  const RunDiff diff = compared(before, after);

  ASSERT_EQ(diff.subjects.size(), 2U);
  EXPECT_EQ(diff.subjects[0].after->subject, "y");
  EXPECT_EQ(diff.subjects[1].after->subject, "y against recorded 2.11.0-cpu");
}

TEST(RunDiff, RefusesSubjectsThatCannotBeToldApart) {
  const RunRecord good = whole_run();
  RunRecord twins = whole_run();
  twins.subjects[1].subject = "./first.so";
  RunRecord same_name = whole_run();
  same_name.subjects = {subject_of("p", "first", passes()), subject_of("q", "first", passes())};

  EXPECT_TRUE(holds(refusal(twins, good), "a.json has 2 subjects './first.so'"));
  EXPECT_TRUE(holds(refusal(good, twins), "b.json has 2 subjects './first.so'"));
  EXPECT_TRUE(
      holds(refusal(good, same_name), "b.json has 2 subjects that call themselves 'first'"));
  DiffRules rules;
  rules.pairs = {{"./first.so", "q"}, {"./second.so", "p"}};
  EXPECT_EQ(refusal(good, same_name, rules), "");
  rules.pairs = {{"./first.so", "q"}, {"./third.so", "p"}};
  EXPECT_TRUE(holds(refusal(good, same_name, rules), "a.json has no subject './third.so'"));
}

TEST(RunDiff, FailsOnASubjectOfOneRecordUnlessAllowed) {
  const RunRecord before = whole_run();
  RunRecord after = whole_run();
  after.subjects.erase(after.subjects.begin());
  DiffRules allowed;
  allowed.may_vanish = true;

  const RunDiff less = compared(before, after);
  const RunDiff more = compared(after, before);

  EXPECT_EQ(less.unpaired(), 1U);
  EXPECT_EQ(less.of(Change::kVanished).size(), 3U);
  EXPECT_TRUE(is_worse(less, {}));
  EXPECT_FALSE(is_worse(less, allowed));
  EXPECT_EQ(more.of(Change::kAppeared).size(), 3U);
  EXPECT_TRUE(is_worse(more, {}));
  EXPECT_FALSE(is_worse(more, allowed));
}

TEST(RunDiff, FailsOnAVanishedCaseOfEitherSubjectUnlessAllowed) {
  const RunRecord before = whole_run();
  for (const std::size_t place : {0U, 1U}) {
    RunRecord after = whole_run();
    // The case still exists, but not under this contract.
    after.subjects[place].cases.pop_back();
    after.subjects[place].planned = 2;
    DiffRules allowed;
    allowed.may_vanish = true;

    const RunDiff diff = compared(before, after);

    ASSERT_EQ(diff.of(Change::kVanished).size(), 1U);
    EXPECT_EQ(diff.of(Change::kVanished)[0].contract, "2.4/cpu/strict");
    EXPECT_TRUE(is_worse(diff, {}));
    EXPECT_FALSE(is_worse(diff, allowed));
    EXPECT_FALSE(is_worse(compared(after, before), {}));
    DiffRules across;
    across.is_across_contracts = true;
    EXPECT_FALSE(is_worse(compared(before, after, across), across));
  }
}

TEST(RunDiff, WhereStrictFailsOnWhatPassedAndDoesNotAnyMore) {
  const RunRecord before = whole_run();
  DiffRules strict;
  strict.is_strict = true;
  for (const char* outcome : {"unsupported", "waived"}) {
    RunRecord after = whole_run();
    after.subjects[1].cases[0] = case_of("amp/one", outcome);

    const RunDiff diff = compared(before, after);

    EXPECT_FALSE(is_worse(diff, {})) << outcome;
    EXPECT_TRUE(is_worse(diff, strict)) << outcome;
    EXPECT_FALSE(is_worse(compared(after, before, strict), strict)) << outcome;
  }
}

TEST(RunDiff, FailsOnWhatPassedAndIsNotAnsweredAnyMore) {
  RunRecord after = whole_run();
  after.subjects[1].cases[0] = case_of("amp/one", "unsupported");
  after.subjects[1].cases[0].excused = false;
  after.subjects[1].cases[0].required = false;

  const RunDiff diff = compared(whole_run(), after);

  ASSERT_EQ(diff.of(Change::kNewFailure).size(), 1U);
  EXPECT_EQ(diff.of(Change::kNewFailure)[0].after, "unsupported");
  EXPECT_TRUE(is_worse(diff, {}));
  EXPECT_FALSE(is_worse(compared(after, after), {}));
  EXPECT_FALSE(is_worse(compared(after, whole_run()), {}));
}

TEST(RunDiff, ListsWhatFailsWithAnotherValueThanBefore) {
  RunRecord before = whole_run();
  CaseRecord& failed = before.subjects[0].cases[0];
  failed.outcome = "fail";
  failed.sentence = "interval 1: the values differ: half of it";
  failed.expected = "16";
  failed.got = "8";
  RunRecord after = before;
  after.subjects[0].cases[0].expected = "131072";
  after.subjects[0].cases[0].got = "65536";

  const RunDiff diff = compared(before, after);

  ASSERT_EQ(diff.of(Change::kOtherFailure).size(), 1U);
  EXPECT_EQ(diff.of(Change::kOtherFailure)[0].sentence,
            "interval 1: the values differ: half of it: expected 131072, got 65536; before, "
            "interval 1: the values differ: half of it: expected 16, got 8");
  EXPECT_FALSE(is_worse(diff, {}));
  EXPECT_TRUE(compared(before, before).of(Change::kOtherFailure).empty());
}

TEST(RunDiff, FailsOnAVerdictThatIsWorse) {
  for (const int exit_code : {1, 4, 5, 6, 77}) {
    for (const bool is_of_subject : {true, false}) {
      RunRecord after = whole_run();
      after.exit_code = exit_code;
      if (is_of_subject) after.subjects[1].exit_code = exit_code;

      const RunDiff diff = compared(whole_run(), after);

      EXPECT_EQ(diff.worse_verdicts.size(), 1U) << exit_code;
      EXPECT_TRUE(is_worse(diff, {})) << exit_code;
      EXPECT_FALSE(is_worse(compared(after, after), {})) << exit_code;
      EXPECT_FALSE(is_worse(compared(after, whole_run()), {})) << exit_code;
    }
  }
}

/// Both records are rejected for it, by name.
void expect_refused(const RunRecord& partial, const std::string& words) {
  const RunRecord good = whole_run();
  EXPECT_TRUE(holds(refusal(partial, good), "a.json")) << refusal(partial, good);
  EXPECT_TRUE(holds(refusal(partial, good), words)) << refusal(partial, good);
  EXPECT_TRUE(holds(refusal(good, partial), "b.json")) << refusal(good, partial);
  EXPECT_TRUE(holds(refusal(good, partial), words)) << refusal(good, partial);
}

TEST(PartialRecord, OfAnInterruptedRunIsRefused) {
  RunRecord run = whole_run();
  run.exit_code = 130;
  expect_refused(run, "it was interrupted before its last subject");
  run.subjects[1].exit_code = 130;
  run.subjects[1].cases.pop_back();
  expect_refused(run, "it was interrupted; 2 of 3 cases of './second.so' ran");
}

TEST(PartialRecord, OfASubjectThatWasLostOrNeverStartedIsRefused) {
  RunRecord run = whole_run();
  run.exit_code = run.subjects[0].exit_code = 3;
  run.subjects[0].cases.pop_back();
  expect_refused(run, "given up; 2 of 3 cases of './first.so' ran");
  run.subjects[0].cases.clear();
  run.subjects[0].planned = 0;
  expect_refused(run, "'./first.so' never started");
  run = whole_run();
  run.exit_code = 3;
  expect_refused(run, "the harness itself failed. Run again");
  run.subjects[0].exit_code = 3;
  expect_refused(run, "the harness itself failed on './first.so'");
}

TEST(RunDiff, CountsTheCasesThatBothHaveAndThatRan) {
  RunRecord before = whole_run();
  RunRecord after = whole_run();
  EXPECT_EQ(compared(before, after).compared, 6u);

  before.subjects[0].cases[0].outcome = after.subjects[0].cases[0].outcome = "unsupported";
  after.subjects[0].cases[1].outcome = "unsupported";
  EXPECT_EQ(compared(before, after).compared, 5u);

  for (RunRecord* run : {&before, &after}) run->subjects.resize(1);
  after.subjects[0].cases = {case_of("amp/one", "unsupported"), case_of("core/one", "pass")};
  after.subjects[0].planned = 2;
  EXPECT_EQ(compared(before, after).compared, 0u);
}

TEST(PartialRecord, OfARunThatEndedEarlyIsRefused) {
  RunRecord run = whole_run();
  run.subjects[1].planned = 9;
  expect_refused(run, "3 of 9 cases of './second.so' ran. Run again, without --fail-fast");
}

TEST(PartialRecord, InWhichNothingRanIsRefused) {
  RunRecord run = whole_run();
  for (CaseRecord& test : run.subjects[1].cases) test = case_of(test.id, "unsupported");
  expect_refused(run, "no case of './second.so' ran");
  for (CaseRecord& test : run.subjects[0].cases) test = case_of(test.id, "unsupported");
  expect_refused(run, "nothing ran");
  run.subjects.clear();
  expect_refused(run, "nothing ran");
}

TEST(PartialRecord, WhereASubjectRanNowhereIsCompared) {
  RunRecord run = whole_run();
  run.subjects[1].cases = {case_of("amp/one", "unsupported")};
  run.subjects[1].planned = 1;

  EXPECT_EQ(refusal(run, run), "");
}

TEST(PartialRecord, OfAShardIsComparedWithTheSameShardOnly) {
  RunRecord shard = whole_run();
  shard.shard = "1/2";
  RunRecord other = whole_run();
  other.shard = "2/2";

  expect_refused(shard, "is the shard 1/2 of a run");
  EXPECT_TRUE(holds(refusal(shard, other),
                    "a.json is the shard 1/2 of a run, and b.json is the "
                    "shard 2/2 of a run"));
  EXPECT_EQ(refusal(shard, shard), "");
}

}  // namespace
}  // namespace assay::report
