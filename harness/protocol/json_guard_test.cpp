// Tests that exactly those texts are rejected that could overflow a reader's stack or lose data.
#include "harness/protocol/json_guard.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonGuard, TheDeepestIsAllowedAndNoMore) {
  EXPECT_NO_THROW(guard_json(nested(kDeepestJson)));
  EXPECT_THROW(guard_json(nested(kDeepestJson + 1)), MalformedMessage);
}

TEST(JsonGuard, WhatIsClosedOrInAStringDoesNotCount) {
  std::string beside, quoted = "[\"\\\"";
  for (std::size_t i = 0; i < 2 * kDeepestJson; ++i) beside += "[]";
  quoted += std::string(2 * kDeepestJson, '{') + "\"]";

  EXPECT_NO_THROW(guard_json(beside));
  EXPECT_NO_THROW(guard_json(quoted));
}

TEST(JsonGuard, BracketsAfterAStringCountAgain) {
  EXPECT_THROW(guard_json("\"\\\\\"" + nested(kDeepestJson + 1)), MalformedMessage);
}

TEST(JsonGuard, ANameTwiceInOneObjectIsRefused) {
  for (const char* twice :
       {R"({"a":1,"a":2})", R"([{"x":{"b":1,"c":{},"b":[]}}])", R"({"a":{"b":1},"c":2,"a":3})",
        R"({"a":1,"\u0061":2})", R"({"\"":1,"b":2,"\"":3})"}) {
    EXPECT_THROW(guard_json(twice), MalformedMessage) << twice;
  }
}

TEST(JsonGuard, ANameInTwoObjectsOrAsAValueIsNotTwice) {
  for (const char* once :
       {R"({"a":"a","b":["a","a"],"c":{"a":{"a":1}},"d":{"a":2}})", R"([{"a":1},{"a":1}])",
        R"({"a":"\"a\":1,\"a\":2"})", R"({"a":1,"A":2,"":3})", R"({"a":1,"b")", "}{,\"a\""}) {
    EXPECT_NO_THROW(guard_json(once)) << once;
  }
}

}  // namespace
}  // namespace assay
