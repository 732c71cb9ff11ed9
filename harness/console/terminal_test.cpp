// Tests of the filters in front of each output.
#include "harness/console/terminal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace assay {
namespace {

/// Sets an environment variable for the duration of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* old = std::getenv(name);
    had_ = old != nullptr;
    if (had_) old_ = old;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~Variable() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

TEST(Outlet, LetsNoControlCharacterThrough) {
  EXPECT_EQ(for_outlet("a\x1b[2J\x07\n\tb", false), "a\\x1b[2J\\x07\n\tb");
  EXPECT_EQ(for_outlet("\x1b[1;31mFAIL\x1b[0m", false), "\\x1b[1;31mFAIL\\x1b[0m");
}

TEST(Outlet, LetsOnlyColoursThroughWhereThereAreSome) {
  EXPECT_EQ(for_outlet("\x1b[1;31mFAIL\x1b[0m \x1b[2J \x1b]0;x\x07\x1b", true),
            "\x1b[1;31mFAIL\x1b[0m \\x1b[2J \\x1b]0;x\\x07\\x1b");
}

TEST(Outlet, GivesNoCommandsToTheSystemThatReadsTheLog) {
  const Variable github("GITHUB_ACTIONS", "true");

  EXPECT_EQ(for_outlet("a\n ::add-mask::b\n##[error]c", false),
            "a\n \\x3a:add-mask::b\n#\\x23[error]c");
  EXPECT_EQ(for_outlet("\x1b[1m::add-mask::b", true), "\x1b[1m\\x3a:add-mask::b");
}

TEST(Outlet, LeavesSuchTextAloneElsewhere) {
  const Variable github("GITHUB_ACTIONS", nullptr), azure("TF_BUILD", nullptr),
      teamcity("TEAMCITY_VERSION", nullptr);

  EXPECT_EQ(for_outlet("::add-mask::b", false), "::add-mask::b");
}

TEST(Columns, AreThoseThatAreSetIfTheyAreANumber) {
  for (const auto& [value, columns] : {std::pair{"80", 80U},
                                       {"140", 140U},
                                       {"3", 40U},
                                       {"x80", 0U},
                                       {"80x", 0U},
                                       {"", 0U},
                                       {"-1", 0U},
                                       {"0", 0U}}) {
    const Variable set("COLUMNS", value);
    if (columns != 0) {
      EXPECT_EQ(columns_of_terminal(), columns) << value;
    } else {
      EXPECT_GE(columns_of_terminal(), 40U) << value;
    }
  }
}

TEST(Colours, AreWhatWasChosen) {
  const Variable no_colour("NO_COLOR", "1");
  choose_colours(ColourChoice::kAlways);
  EXPECT_TRUE(has_colours(stdout));
  choose_colours(ColourChoice::kAuto);
  EXPECT_FALSE(has_colours(stdout));
  choose_colours(ColourChoice::kNever);
  EXPECT_FALSE(has_colours(stdout));
  choose_colours(ColourChoice::kAuto);
}

}  // namespace
}  // namespace assay
