// Tests of the lists of unanswered commands.
#include "harness/run/overall.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

using Counted = std::vector<std::pair<std::string, std::size_t>>;

CaseResult unsupported(const std::string& command) {
  CaseResult result;
  result.outcome = Outcome::kUnsupported;
  result.failure.emplace().sentence = "the subject has no " + command;
  result.lacks = command;
  return result;
}

CaseResult excused(const std::string& command, const std::string& reason) {
  CaseResult result = unsupported(command);
  result.excused = true;
  result.excuse = reason;
  return result;
}

TEST(Gaps, CountCommandsThatNobodyExcusesTheMostFirst) {
  std::vector<CaseResult> results{unsupported("amp.scale"), unsupported("scaler.step"),
                                  unsupported("scaler.step"), excused("graph.replay", "no graphs")};
  results.emplace_back();

  EXPECT_EQ(unanswered_commands(results), (Counted{{"scaler.step", 2}, {"amp.scale", 1}}));
}

TEST(Gaps, NameACaseThatAskedForNothingByItsOwnWords) {
  CaseResult needs = unsupported("");
  needs.failure->sentence = "needs two devices";

  EXPECT_EQ(unanswered_commands({needs}), (Counted{{"needs two devices", 1}}));
}

TEST(Gaps, LeaveOutWhatASupportFileTurnsIntoAFailure) {
  CaseResult demanded = unsupported("amp.scale");
  demanded.required = true;

  EXPECT_TRUE(unanswered_commands({demanded}).empty());
}

TEST(Gaps, ShowBothListsAndNothingWhereAllWasAnswered) {
  EXPECT_EQ(gaps({CaseResult{}}), "");
  const std::string text =
      gaps({unsupported("amp.scale"), excused("graph.replay", "no graphs"),
            excused("graph.launch", "no graphs"), excused("memory.read", "no statistics")});
  EXPECT_EQ(text,
            "  not answered, and neither hello nor a support file says so\n"
            "    1 amp.scale\n"
            "  not answered, and excused\n"
            "    2 no graphs\n"
            "    1 no statistics\n");
}

TEST(Gaps, ShowEightOfALongListAndCountTheRest) {
  std::vector<CaseResult> results;
  for (const char letter : std::string("abcdefghijk")) {
    results.push_back(excused("a", std::string("reason ") + letter));
    results.push_back(unsupported(std::string("command.") + letter));
  }
  const std::string text = gaps(results);
  EXPECT_NE(text.find("command.h, and 3 more"), std::string::npos) << text;
  EXPECT_NE(text.find("1 reason h\n    and 3 more\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("reason i"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay
