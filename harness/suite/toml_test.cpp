// Tests that TOML of any depth is read, or rejected with its place.
#include "harness/suite/toml.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

std::string refusal(const std::string& text) {
  return error_of<std::runtime_error>([&] { toml_from(text, "f.toml"); });
}

std::string times(std::size_t count, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Toml, TooDeepIsRefusedWithItsPlace) {
  EXPECT_TRUE(holds(refusal("x = 1\n" + times(50'000, "a.") + "a = 1\n"),
                    "f.toml:2:32: a key has more than 16 parts"));
  EXPECT_TRUE(holds(refusal("[" + times(50'000, "a.") + "a]\n"), "a key has more than 16 parts"));
  EXPECT_TRUE(holds(refusal("[[" + times(50'000, "'a'.") + "a]]\n"), "more than 16 parts"));
  EXPECT_TRUE(holds(refusal("x = {" + times(50'000, "a . ") + "a = 1}"), "more than 16 parts"));
  EXPECT_TRUE(holds(refusal("x = " + times(50'000, "[")), "f.toml:1:37: it nests deeper than 32"));
  EXPECT_TRUE(holds(refusal("x = " + times(50'000, "{a=")), "it nests deeper than 32 levels"));
  EXPECT_TRUE(holds(refusal("x = \"a\\\"\" # '\n" + times(20, "a.") + "a = 1"), "f.toml:2:"));
  EXPECT_TRUE(holds(refusal("x = '''\n\n'''\n" + times(20, "a.") + "a = 1"), "f.toml:4:"));
}

TEST(Toml, DotsInTextsAndBetweenKeysAreNoDepth) {
  const std::string dots = times(100, ".") + times(100, "[{");
  for (const std::string& text : {"x = \"" + dots + "\\\"" + dots + "\"", "x = '" + dots + "'",
                                  "# " + dots, "x = \"\"\"\n" + dots + "\n\"\"\"",
                                  "x = '''" + dots + "'''", "x = [" + times(100, "1.5, ") + "]",
                                  times(15, "a.") + "a = 1", times(100, "[[a.b]]\nc.d = 1.5\n")}) {
    EXPECT_EQ(refusal(text), "") << text;
  }
}

TEST(Toml, WhatIsNoTomlIsRefusedWithItsPlace) {
  EXPECT_TRUE(refusal("x = 1\ny =").starts_with("f.toml:2:")) << refusal("x = 1\ny =");
  EXPECT_TRUE(refusal("x = \"open").starts_with("f.toml:1:"));
  EXPECT_TRUE(refusal("x = \"open\ny = 1").starts_with("f.toml:1:"));
}

}  // namespace
}  // namespace assay
