// Tests of the clauses compiled into the program.
#include "harness/suite/clauses.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

TEST(Clauses, EveryClauseHasATextThatOpensWithItsId) {
  ASSERT_GT(all_clauses().size(), 605U);
  for (const Clause& clause : all_clauses()) {
    EXPECT_TRUE(holds(clause.text.substr(0, 40), clause.id)) << clause.id;
    EXPECT_GT(clause.text.size(), clause.id.size() + clause.title.size()) << clause.id;
    EXPECT_FALSE(clause.title.empty()) << clause.id;
  }
}

TEST(Clauses, WhatIsNotWitnessedThroughTheWaistSaysWhyOrWhere) {
  for (const Clause& clause : all_clauses()) {
    EXPECT_EQ(clause.reason.empty(), clause.witness == Witness::kWaist) << clause.id;
  }
}

TEST(Clauses, AClauseIsFoundByItsId) {
  const Clause* clause = find_clause("AMP-108");

  ASSERT_NE(clause, nullptr);
  EXPECT_EQ(clause->title, "Equality, not >=");
  EXPECT_EQ(clause->area, "amp");
  EXPECT_EQ(clause->comparator, "bits");
  EXPECT_TRUE(is_offered(*clause));
  EXPECT_FALSE(holds(clause->text, "AMP-109"));
  EXPECT_EQ(find_clause("AMP-999"), nullptr);
}

TEST(Clauses, SayHowFarFromATrainingTheyAre) {
  EXPECT_EQ(find_clause("AMP-105")->reach, Reach::kTraining);
  EXPECT_EQ(find_clause("AMP-108")->reach, Reach::kState);
  EXPECT_EQ(find_clause("AMP-111")->reach, Reach::kArguments);
  EXPECT_EQ(find_clause("AMP-203")->reach, Reach::kWidth);
  EXPECT_EQ(find_clause("AMP-001")->reach, Reach::kWords);
}

TEST(Clauses, ConversionsBelongToCoreAndOrderToTheRuntime) {
  EXPECT_EQ(find_clause("CAST-901")->area, "core");
  EXPECT_EQ(find_clause("ORD-A3")->area, "runtime");
}

TEST(Clauses, AnAreaThatNobodyHasIsNotOffered) {
  Clause clause = *find_clause("AMP-108");
  clause.area = "bench";

  EXPECT_FALSE(is_offered(clause));
}

TEST(Clauses, AClauseOfOneReleaseHoldsForThatOneOnly) {
  EXPECT_TRUE(find_clause("SCL-108")->holds_for(Release::k1_13));
  EXPECT_FALSE(find_clause("SCL-108")->holds_for(Release::k2_11));
  EXPECT_TRUE(find_clause("AMP-105")->holds_for(Release::k1_13));
}

TEST(Clauses, AxiomsAndLitmusTestsAreClausesAsWell) {
  EXPECT_EQ(find_clause("ORD-A3")->title, "stream order");
  EXPECT_EQ(find_clause("LT-15a")->comparator, "set");
}

TEST(ClauseText, EndsBeforeTheNextHeading) {
  const char* text = "# Title\n\n### X-01 One\nfirst\n\n### X-02 Two\nsecond\n\n## Next\n";

  EXPECT_EQ(clause_text(text, "X-01"), "### X-01 One\nfirst");
  EXPECT_EQ(clause_text(text, "X-02"), "### X-02 Two\nsecond");
  EXPECT_EQ(clause_text(text, "X-03"), "");
}

TEST(ClauseText, IsOneBulletOrOneRow) {
  const char* text = "- **X-A1 one.** first\n- **X-A2 two.** second\n| X-03 | three | 1 |\n";

  EXPECT_EQ(clause_text(text, "X-A1"), "- **X-A1 one.** first");
  EXPECT_EQ(clause_text(text, "X-03"), "| X-03 | three | 1 |");
}

}  // namespace
}  // namespace assay
