// Tests of words on the command line, of suggestions for mistyped names, and of names in data.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/waivers/blanket.hpp"

namespace assay::cli {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, FollowsTheShell) {
  EXPECT_EQ(split_words("python3  it.py --flag"), (Words{"python3", "it.py", "--flag"}));
  EXPECT_EQ(split_words("a 'b c' \"d 'e\" f\\ g ''"), (Words{"a", "b c", "d 'e", "f g", ""}));
  EXPECT_EQ(split_words("  "), Words{});
  EXPECT_THROW(split_words("a 'b"), UsageError);
}

TEST(Nearest, FindsASlipOfTheHandAndPartsOfNames) {
  const Words names{"reference", "mutant:unscale_skips_last", "mutant:growth_off_by_one"};

  EXPECT_EQ(nearest("referense", names), Words{"reference"});
  EXPECT_EQ(nearest("skips_last", names), Words{"mutant:unscale_skips_last"});
  EXPECT_TRUE(nearest("zzzzzzzz", names).empty());
  EXPECT_EQ(nearest("Reference", names), Words{"reference"});
  EXPECT_EQ(suggestion("zzzzzzzz", names), "");
  EXPECT_EQ(suggestion("referense", names), "; did you mean reference?");
}

TEST(Nearest, CountsSwappedLettersAsOneSlipAndLeavesOutWordsThatOnlyLookAlike) {
  const Words names{"dtype", "counting", "routing"};

  EXPECT_EQ(nearest("dtpye", names), Words{"dtype"});
  EXPECT_TRUE(nearest("nothing", names).empty());
}

std::string refusal_of(const char* subject) {
  try {
    connect(subject, {});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Connect, RefusesWhatItDoesNotKnowWithTheListOfWhatThereIs) {
  for (const char* name : {"referense", "mutant:none_of_these", ""}) {
    EXPECT_NE(refusal_of(name).find("subjects: reference"), std::string::npos) << refusal_of(name);
  }
}

TEST(Connect, TellsOfAFileThatIsNotThere) {
  EXPECT_EQ(refusal_of("/no/such/file.so"),
            "cannot start the subject '/no/such/file.so': there is no such file");
}

}  // namespace
}  // namespace assay::cli
