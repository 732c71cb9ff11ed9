// Only what could make a reader recurse too deeply is refused.
#include "harness/protocol/json_depth.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonDepth, TheDeepestIsAllowedAndNoMore) {
  EXPECT_NO_THROW(refuse_deep_nesting(nested(kDeepestJson)));
  EXPECT_THROW(refuse_deep_nesting(nested(kDeepestJson + 1)), MalformedMessage);
}

TEST(JsonDepth, WhatIsClosedOrInAStringDoesNotCount) {
  std::string beside, quoted = "[\"\\\"";
  for (std::size_t i = 0; i < 2 * kDeepestJson; ++i) beside += "[]";
  quoted += std::string(2 * kDeepestJson, '{') + "\"]";

  EXPECT_NO_THROW(refuse_deep_nesting(beside));
  EXPECT_NO_THROW(refuse_deep_nesting(quoted));
}

TEST(JsonDepth, BracketsAfterAStringCountAgain) {
  EXPECT_THROW(refuse_deep_nesting("\"\\\\\"" + nested(kDeepestJson + 1)), MalformedMessage);
}

}  // namespace
}  // namespace assay
