// Tests of hiding secrets.
#include "harness/text/redact.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(RedactTest, EachSecretIsHiddenWhereverItStands) {
  EXPECT_EQ(redacted("a --token abc --again=abcabc", {"abc"}), "a --token *** --again=******");
  EXPECT_EQ(redacted("nothing here", {"abc"}), "nothing here");
  EXPECT_EQ(redacted("", {"abc"}), "");
}

TEST(RedactTest, ASecretThatHoldsAnotherIsHiddenWhole) {
  EXPECT_EQ(redacted("key abcdef and abc", {"abc", "abcdef"}), "key *** and ***");
}

TEST(RedactTest, AnEmptySecretHidesNothing) { EXPECT_EQ(redacted("abc", {""}), "abc"); }

TEST(RedactTest, WhatHidesIsNotHiddenAgain) { EXPECT_EQ(redacted("x*y", {"*"}), "x***y"); }

}  // namespace
}  // namespace assay
