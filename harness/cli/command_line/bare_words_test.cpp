// Tests of positional words that select cases.
#include "harness/cli/command_line/bare_words.hpp"

#include <gtest/gtest.h>

#include "harness/console/usage_error.hpp"

namespace assay::cli {
namespace {

using Words = std::vector<std::string>;

std::string complaint_about(const std::string& word) {
  try {
    filters_of({word}, false);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(BareWords, AreWholeNamesWhereThereAreSuch) {
  EXPECT_EQ(filters_of({"amp/update_scale", "AMP-105", "core", "*nan*"}, false),
            (Words{"amp/update_scale", "AMP-105", "core", "*nan*"}));
}

TEST(BareWords, AreBeginningsOfNamesElsewhere) {
  EXPECT_EQ(filters_of({"amp/upda", "core"}, false), (Words{"amp/upda*", "core"}));
}

TEST(BareWords, ThatChooseNothingAreRefusedWithTheNearest) {
  const std::string complaint = complaint_about("amp/updte_scale");
  EXPECT_TRUE(complaint.starts_with(
      "no case is or begins with 'amp/updte_scale'; did you mean amp/update_scale"))
      << complaint;
  EXPECT_EQ(complaint_about("zzzzzzzzzzzz"), "no case is or begins with 'zzzzzzzzzzzz'");
  EXPECT_NE(complaint_about("").find("empty argument"), std::string::npos);
  EXPECT_NE(complaint_about("/amp(/").find("not a regular expression"), std::string::npos);
}

TEST(BareWords, ThatNameALongSweepAskForIt) {
  std::string sweep;
  for (const Case& test : all_cases()) {
    if (test.full) sweep = test.id;
  }

  EXPECT_EQ(complaint_about(sweep), "'" + sweep + "' names only cases that --full runs");
  EXPECT_EQ(filters_of({sweep}, true), Words{sweep});
}

}  // namespace
}  // namespace assay::cli
