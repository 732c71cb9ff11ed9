// Tests of the lines that a run prints about clauses without an answered case.
#include "harness/run/reporter.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

SubjectInfo with_area(const std::string& area) {
  SubjectInfo info;
  info.areas = {area};
  return info;
}

TEST(Holes, AreTheClausesOfAWholeRunThatNoCaseWitnessed) {
  const SubjectInfo info = with_area("amp");
  const ClauseCount before = count_clauses({}, info, true);
  Tally tally;
  tally.witnessed = {before.holes.front()};

  const ClauseCount after = count_clauses(tally, info, true);

  EXPECT_EQ(before.holes.size(), before.all);
  EXPECT_EQ(after.holes.size(), after.all - 1);
  EXPECT_EQ(after.witnessed, 1U);
  EXPECT_NE(after.holes.front(), before.holes.front());
}

TEST(Holes, AreNoneWhereCasesWereDeselected) {
  const ClauseCount count = count_clauses({}, with_area("amp"), false);

  EXPECT_GT(count.all, 0U);
  EXPECT_TRUE(count.holes.empty());
  EXPECT_EQ(holes(count), "");
}

TEST(Holes, AreNamed) {
  EXPECT_EQ(holes({3, 5, {"AMP-105", "SCL-301"}}),
            "  clauses without an answered case\n    AMP-105, SCL-301\n");
}

TEST(Holes, AreCountedWhereTheyAreMany) {
  const std::string text = holes({0, 30, std::vector<std::string>(30, "AMP-105")});

  EXPECT_TRUE(text.ends_with("AMP-105, and 6 more\n")) << text;
}

}  // namespace
}  // namespace assay
