// Tests of the sentences that speak of releases.
#include "harness/port/sentences.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

using Sentences = std::vector<std::string>;

Sentences about(std::string_view clause) {
  return sentences_about(clause, Release::k2_11, Release::k2_13);
}

TEST(Sentences, AReleaseInTheRangeIsNamed) {
  EXPECT_EQ(about("### DSP-1 A rule\nIt holds. Since 2.12 it warns. Since 2.14 it raises."),
            (Sentences{"Since 2.12 it warns."}));
}

TEST(Sentences, TheOlderReleaseCountsOnlyAsAnEnd) {
  EXPECT_EQ(about("Until 2.11 it warns. In 2.11 there are ten."),
            Sentences{"Until 2.11 it warns."});
}

TEST(Sentences, WhatWasRunIsNoRelease) {
  EXPECT_EQ(about("It holds [R 2.12, 2.13.0]. Seen on 2.12.1, 2.13.0. There are 12.12 of 2.120."),
            Sentences{});
}

TEST(Sentences, LinesAreJoinedAndItemsAreNot) {
  EXPECT_EQ(about("The set is\nanother [R] since 2.13\n- in 2.12: one\n- since 1.13: two"),
            (Sentences{"The set is another since 2.13", "in 2.12: one"}));
}

}  // namespace
}  // namespace assay
