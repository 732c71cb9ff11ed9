// Tests of the width of texts, and of truncation to a width.
#include "harness/text/columns.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Columns, AreWhatATerminalShows) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("é…≤"), 3U);
  EXPECT_EQ(columns_of("e\u0301"), 1U);
  EXPECT_EQ(columns_of("勾配"), 4U);
}

TEST(Fitting, TakesWholeCharactersOnly) {
  EXPECT_EQ(fitting("abc", 2), 2U);
  EXPECT_EQ(fitting("勾配", 3), 3U);
  EXPECT_EQ(fitting("勾配", 1), 0U);
  EXPECT_EQ(fitting("abc", 9), 3U);
}

TEST(CutTo, LeavesWhatFitsAndMarksWhatDoesNot) {
  EXPECT_EQ(cut_to("abc", 3), "abc");
  EXPECT_EQ(cut_to("abcd", 3), "ab…");
  EXPECT_EQ(cut_to("勾配", 3), "勾…");
  EXPECT_EQ(cut_to("勾配", 2), "…");
  EXPECT_EQ(cut_to("abc", 0), "");
}

TEST(CutTo, MakesOneLineOfMany) { EXPECT_EQ(cut_to("a\nb\x1b", 20), "a\\x0ab\\x1b"); }

}  // namespace
}  // namespace assay
