// Tests of the union of shards, on records made by hand.
#include "harness/merge/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/console/usage_error.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/run/journal.hpp"
#include "harness/run/overall.hpp"

namespace assay {
namespace {

report::CaseRecord case_record(const std::string& id, const std::string& outcome) {
  report::CaseRecord test;
  test.id = id;
  test.contract = "2.11/cuda/strict";
  test.outcome = outcome;
  test.file = "amp_cases.cpp";
  test.seconds = 0.5;
  if (outcome != "pass") test.sentence = "it differs";
  if (outcome == "waived") test.was = "fail";
  return test;
}

/// Those of all shards.
std::string list_of_cases() {
  std::vector<Case> cases;
  for (const char* id : {"amp/a", "amp/b", "amp/c", "amp/d"}) cases.emplace_back().id = id;
  std::vector<Task> tasks;
  for (const Case& test : cases) tasks.push_back({&test, *contract_from_text("2.11/cuda/strict")});
  return cases_in_words(tasks);
}

/// The shard's cases of `mine`; all shards together have four.
ShardFile shard(const std::string& place, std::vector<report::CaseRecord> cases) {
  report::SubjectRecord subject;
  subject.subject = subject.name = "mine";
  subject.areas = {"amp"};
  subject.contracts = {"2.11/cuda/strict"};
  subject.cases = std::move(cases);
  subject.planned = subject.cases.size();
  for (const report::CaseRecord& test : subject.cases) ++subject.outcomes[test.outcome];
  subject.basis.emplace();
  subject.basis->key = {
      {"program", build_in_words()}, {"subject", "mine"}, {kListOfCases, list_of_cases()}};
  subject.basis->cases = 4;
  subject.exit_code = tally_of(subject, *subject.basis).exit_code();
  subject.verdict = tally_of(subject, *subject.basis).verdict();
  ShardFile file{place.substr(0, 1) + ".json", {}};
  file.run.shard = place;
  file.run.started = "2026-11-21T11:00:00Z";
  file.run.parts = {{"mine", false, false, false}};
  file.run.subjects = {subject};
  judge_parts(file.run, true);
  return file;
}

ShardFile first(const std::string& outcome = "pass") {
  return shard("1/2", {case_record("amp/a", "pass"), case_record("amp/c", outcome)});
}

ShardFile second() {
  return shard("2/2", {case_record("amp/b", "pass"), case_record("amp/d", "pass")});
}

const SubjectRun& only(const MergedRun& merged) { return merged.parts.at(0).run; }

std::string refusal(std::vector<ShardFile> files) {
  return error_of<UsageError>([&] { merge(std::move(files)); });
}

TEST(Merge, OrdersTheCasesAsOneRunDoes) {
  const MergedRun merged = merge({second(), first("fail")});

  std::vector<std::string> ids;
  for (const CaseResult& result : only(merged).results) ids.push_back(result.test->id);
  EXPECT_EQ(ids, (std::vector<std::string>{"amp/a", "amp/b", "amp/c", "amp/d"}));
  EXPECT_EQ(only(merged).tally.exit_code(), kExitFailure);
  EXPECT_EQ(only(merged).tally.planned, 4u);
  EXPECT_EQ(merged.head.shards.at(1).shard, "2/2");
}

TEST(Merge, RefusesOtherCasesThanThoseOfTheList) {
  ShardFile other = shard("2/2", {case_record("amp/b", "pass"), case_record("amp/easier", "pass")});
  EXPECT_EQ(refusal({first(), other}),
            "these are not the shards of a run: 'mine' has 4 cases in them, and they are not those "
            "of its list");
  other = second();
  other.run.subjects[0].cases[0].contract = "2.4/cuda/strict";
  EXPECT_TRUE(refusal({first(), other}).ends_with("not those of its list"));
}

TEST(Merge, IsIncompleteWithoutAShard) {
  const MergedRun merged = merge({second()});

  EXPECT_EQ(only(merged).tally.exit_code(), kExitIncomplete);
  EXPECT_EQ(only(merged).tally.missing_shards, std::vector<std::string>{"1/2"});
  EXPECT_EQ(only(merged).tally.in_part(), std::vector<std::string>{"amp"});
}

TEST(Merge, CallsFlakyWhatTwoRecordsJudgeDifferently) {
  ShardFile again = first("crash");
  again.file = "again.json";

  const MergedRun merged = merge({first(), again, second()});

  const CaseResult& result = only(merged).results.at(2);
  EXPECT_EQ(result.outcome, Outcome::kFlaky);
  EXPECT_EQ(result.failure->sentence,
            "its shard was run 2 times: pass in 1.json, crash in again.json: it differs");
  EXPECT_EQ(only(merged).tally.exit_code(), kExitFailure);
  EXPECT_EQ(merged.remarks, std::vector<std::string>{"the shard 1/2 is in 1.json and again.json"});
}

TEST(Merge, WaivesNothingWithoutAWaiver) {
  EXPECT_EQ(only(merge({first("waived"), second()})).tally.exit_code(), kExitFailure);
}

TEST(Merge, RefusesACaseOfTwoShards) {
  ShardFile other = first();
  other.file = "2.json";
  other.run.shard = "2/2";

  EXPECT_EQ(refusal({first(), other}),
            "2.json: its case amp/a is also in 1.json, which is another shard");
}

TEST(Merge, RefusesAShareThatIsNoneOfTheShard) {
  EXPECT_TRUE(holds(refusal({shard("1/2", {case_record("amp/a", "pass")})}),
                    "1 cases are planned, and the shard 1/2 of 4 cases has 2"));
}

TEST(Merge, NamesTheProgramBeforeWhatFollowsFromIt) {
  ShardFile other = second();
  other.run.subjects[0].basis->key["--filter"] = "x";
  other.run.subjects[0].basis->key["program"] = "0.1.0";

  EXPECT_TRUE(holds(refusal({first(), other}), "not shards of one run: the program is '"));
}

TEST(Merge, RefusesASubjectThatWasGivenUpBeforeItsFirstCase) {
  ShardFile other = second();
  report::SubjectRecord& subject = other.run.subjects[0];
  subject.basis.reset();
  subject.lost = "it died";
  subject.exit_code = kExitInternal;
  subject.verdict = verdict_of(kExitInternal);
  judge_parts(other.run, true);

  EXPECT_TRUE(holds(refusal({first(), other}),
                    "2.json: 'mine': it was given up before its first case: it died"));
}

TEST(Merge, RefusesAPartOfWhichAShardLacksCases) {
  ShardFile one = first(), two = second();
  for (ShardFile* file : {&one, &two}) file->run.parts.push_back({"other", false, true, false});
  one.run.subjects.push_back(one.run.subjects[0]);
  one.run.subjects[1].subject = "other";
  judge_parts(one.run, true);
  judge_parts(two.run, true);

  EXPECT_EQ(refusal({one, two}), "2.json: it lacks the subject 'other', which 1.json has");
}

TEST(Merge, RefusesAnAbsentDeviceThatAnotherShardHas) {
  ShardFile other = second();
  other.run.parts[0].absent = true;
  other.run.subjects.clear();
  judge_parts(other.run, true);

  EXPECT_TRUE(holds(refusal({first(), other}), "the device of mine is 'present' in 1.json"));
}

}  // namespace
}  // namespace assay
