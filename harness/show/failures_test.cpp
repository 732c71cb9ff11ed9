// Tests of lists and counts of failures.
#include "harness/show/failures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/text/width.hpp"

namespace assay {
namespace {

using namespace std::chrono_literals;

/// Cases live as long as the program.
const Case* case_named(const std::string& id, const std::vector<std::string>& clauses) {
  auto* test = new Case;
  test->id = id;
  test->clauses = clauses;
  return test;
}

CaseResult result_of(const std::string& id, Outcome outcome,
                     const std::vector<std::string>& clauses = {"AMP-105"}) {
  CaseResult result;
  result.test = case_named(id, clauses);
  result.outcome = outcome;
  if (outcome == Outcome::kPass) return result;
  result.failure.emplace();
  result.failure->sentence = "the scale differs";
  return result;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Failures, AreWhatSpoilsTheVerdict) {
  std::vector<CaseResult> results;
  for (int i = 0; i < kOutcomes; ++i) {
    results.push_back(result_of(std::to_string(i), static_cast<Outcome>(i)));
  }
  for (CaseResult& result : results) result.required = true;
  results.push_back(result_of("excused", Outcome::kUnsupported));
  results.back().required = true;
  results.back().excused = true;

  std::vector<Outcome> outcomes;
  for (const CaseResult* failure : failures_of(results)) outcomes.push_back(failure->outcome);

  EXPECT_EQ(outcomes, (std::vector{Outcome::kFail, Outcome::kCrash, Outcome::kTimeout,
                                   Outcome::kUnsupported, Outcome::kFlaky, Outcome::kInternal}));
}

TEST(Failures, AreCountedByTheClauseThatTheirCaseIsAbout) {
  const std::vector<CaseResult> results{result_of("a", Outcome::kFail, {"AMP-2", "AMP-1"}),
                                        result_of("b", Outcome::kCrash, {"AMP-2", "AMP-2"}),
                                        result_of("c", Outcome::kPass, {"AMP-1"}),
                                        result_of("d", Outcome::kFail, {"AMP-0"})};

  const std::vector<ClauseFailures> counts = count_by_clause(failures_of(results));

  std::string text;
  for (const ClauseFailures& one : counts) {
    text += one.clause + ":" + std::to_string(one.count) + " ";
  }
  EXPECT_EQ(text, "AMP-2:2 AMP-0:1 ");
}

TEST(Failures, ThatATrainingMeetsComeFirst) {
  const std::vector<CaseResult> results{result_of("amp/x/words", Outcome::kFail, {"AMP-001"}),
                                        result_of("amp/x/state", Outcome::kFail, {"AMP-108"}),
                                        result_of("amp/x/state_too", Outcome::kFail, {"AMP-108"}),
                                        result_of("amp/x/training", Outcome::kFail)};

  const auto failures = failures_of(results);

  std::string text;
  for (const CaseResult* failure : failures) text += failure->test->id + " ";
  EXPECT_EQ(text, "amp/x/training amp/x/state amp/x/state_too amp/x/words ");
  EXPECT_EQ(count_by_clause(failures).front().clause, "AMP-105");
  EXPECT_EQ(count_by_clause(failures).back().clause, "AMP-001");
  EXPECT_TRUE(are_of_several_reaches(failures));
  EXPECT_FALSE(are_of_several_reaches({failures[1], failures[2]}));
}

TEST(FailureList, HasHeadsWhereFailuresAreMetInSeveralWays) {
  const std::vector<CaseResult> results{result_of("amp/x/state", Outcome::kFail, {"AMP-108"}),
                                        result_of("amp/x/training", Outcome::kFail)};

  const std::string text = failure_list(results, {.subject = "it"});

  const auto training = text.find("\n  cases that a training loop can meet\n");
  const auto state = text.find("\n  cases with a state that no");
  EXPECT_LT(training, text.find("replay amp/x/training"));
  EXPECT_LT(text.find("replay amp/x/training"), state);
  EXPECT_LT(state, text.find("replay amp/x/state"));
  EXPECT_EQ(failure_list({results[0]}, {}).find("  cases with a state"), std::string::npos);
}

TEST(FailureList, NamesEachFailureByTheLineThatRepeatsIt) {
  const std::vector<CaseResult> results{result_of("amp/x/a", Outcome::kFail),
                                        result_of("amp/x/b", Outcome::kCrash),
                                        result_of("amp/x/c", Outcome::kPass)};

  const std::string text = failure_list(results, {.subject = "it"});

  EXPECT_TRUE(text.starts_with("2 failures, repeated by\n")) << text;
  EXPECT_NE(text.find("is about\n        2  AMP-105  "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  fail      assay replay amp/x/a --subject \"it\" --release"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  crash     assay replay amp/x/b "), std::string::npos) << text;
  EXPECT_EQ(text.find("amp/x/c"), std::string::npos) << text;
  EXPECT_EQ(failure_list({results.back()}, {}), "");
}

TEST(FailureList, CountsClausesBeyondThoseNamed) {
  std::vector<CaseResult> results;
  for (int i = 10; i < 30; ++i) {
    results.push_back(result_of("a", Outcome::kFail, {"NONE-" + std::to_string(i)}));
  }

  const std::string text = failure_list(results, {.subject = "it", .clauses = 3});

  EXPECT_NE(text.find("NONE-12\n           and 17 more clauses\n"), std::string::npos) << text;
  EXPECT_EQ(lines_in(text), 1U + 3U + 1U + 1U + 20U);
}

TEST(FailureList, WritesNoControlCharacterOfASubject) {
  const std::string text =
      failure_list({result_of("a\x1b", Outcome::kFail)}, {.subject = "x\nPASS\x07"});

  EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos);
  EXPECT_NE(text.find("x\\012PASS\\007"), std::string::npos) << text;
}

TEST(FailureLine, FitsAnyWidth) {
  CaseResult result = result_of("amp/x/a", Outcome::kFail);
  EXPECT_EQ(failure_line(result, 100, false), "fail      amp/x/a  AMP-105  the scale differs\n");
  EXPECT_EQ(failure_line(result, 24, false), "fail      amp/x/a  the …\n");
  result.failure->sentence = "a\nb";
  EXPECT_EQ(lines_in(failure_line(result, 100, false)), 1U);
  EXPECT_TRUE(failure_line(result, 100, true).starts_with("\x1b[1;31mfail"));
}

TEST(Slowest, AreInTheOrderOfTheirTimes) {
  std::vector<CaseResult> results{result_of("a", Outcome::kPass), result_of("b", Outcome::kPass),
                                  result_of("c", Outcome::kFail)};
  results[0].duration = 2ms;
  results[1].duration = 3s;
  results[2].duration = 1ms;

  const std::string text = slowest(results, 2, 100);

  EXPECT_EQ(text,
            "slowest 2 of 3 cases\n      3.000 s  b  2.15/cuda/strict\n"
            "      0.002 s  a  2.15/cuda/strict\n");
  EXPECT_EQ(slowest(results, 0, 100), "");
  EXPECT_EQ(lines_in(slowest(results, 9, 100)), 4U);
}

}  // namespace
}  // namespace assay
