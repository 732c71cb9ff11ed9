// Tests of thresholds files, with every kind of error.
#include "harness/compare/thresholds.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

const std::string kHead = "schema = 1\nmargin = 0.02\nfail_on = ['regression']\n";

std::string refusal_of(const std::string& text) {
  return error_of<Invalid>([&] { thresholds_from_toml(text, "gate.toml"); });
}

TEST(Thresholds, AreReadAsWritten) {
  const Thresholds read = thresholds_from_toml(R"(schema = 1
margin = "3 %"
exact_margin = 0
alpha = 0.01
fail_on = ["regression", "undecided"]
allow_missing = ["stream/*", "graph/launch"]

[[case]]
name = "dispatch/*"
margin = 0.05

[[case]]
name = "event/*"
quantity = "host.*"
margin = "10%"
)",
                                               "gate.toml");

  EXPECT_DOUBLE_EQ(read.margin, 0.03);
  EXPECT_DOUBLE_EQ(read.alpha, 0.01);
  EXPECT_EQ(read.fail_on, (std::set{FailOn::kRegression, FailOn::kUndecided}));
  EXPECT_EQ(read.allow_missing, (std::vector<std::string>{"stream/*", "graph/launch"}));
  ASSERT_EQ(read.rules.size(), 2);
  EXPECT_EQ(read.rules[0].cases, "dispatch/*");
  EXPECT_DOUBLE_EQ(read.rules[1].margin, 0.1);
  EXPECT_EQ(read.rules[1].quantity, "host.*");
  EXPECT_EQ(read.places[1], "gate.toml:12");
}

TEST(Thresholds, EachThingThatMustBeStatedIsMissed) {
  EXPECT_TRUE(holds(refusal_of("schema = 1\nfail_on = ['regression']"), "'margin'"));
  EXPECT_TRUE(holds(refusal_of("schema = 1\nmargin = 0.02"), "'fail_on'"));
}

TEST(Thresholds, AnUnknownKeyIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal_of(kHead + "margn = 0.1").find("gate.toml:4:1: unknown key 'margn'"), 0);
  EXPECT_TRUE(holds(refusal_of(kHead + "[[case]]\nname = 'a'\nmargin = 0.1\nquantitty = 'b'"),
                    "gate.toml:7:1: unknown key 'quantitty'"));
}

TEST(Thresholds, WrongValuesAreRefused) {
  EXPECT_NE(refusal_of("schema = 2\nmargin = 0.02\nfail_on = ['regression']"), "");
  EXPECT_NE(refusal_of("schema = 1\nmargin = 2\nfail_on = ['regression']"), "");
  EXPECT_NE(refusal_of("schema = 1\nmargin = -0.1\nfail_on = ['regression']"), "");
  EXPECT_NE(refusal_of("schema = 1\nmargin = nan\nfail_on = ['regression']"), "");
  EXPECT_NE(refusal_of("schema = 1\nmargin = 'much'\nfail_on = ['regression']"), "");
  EXPECT_NE(refusal_of("schema = 1\nmargin = 0.02\nfail_on = 'regression'"), "");
  EXPECT_NE(refusal_of("schema = 1\nmargin = 0.02\nfail_on = ['regresion']"), "");
  EXPECT_NE(refusal_of(kHead + "alpha = 0.5"), "");
  EXPECT_NE(refusal_of(kHead + "alpha = 0"), "");
  EXPECT_NE(refusal_of(kHead + "[case]\nname = 'a'\nmargin = 0.1"), "");
  EXPECT_NE(refusal_of(kHead + "[[case]]\nmargin = 0.1"), "");
  EXPECT_NE(refusal_of(kHead + "[[case]]\nname = ''\nmargin = 0.1"), "");
  EXPECT_NE(refusal_of(kHead + "[[case]]\nname = 'a'"), "");
  EXPECT_NE(refusal_of(kHead + "allow_missing = 'a'"), "");
  EXPECT_NE(refusal_of(kHead + "allow_missing = ['']"), "");
  EXPECT_NE(refusal_of(kHead + "allow_missing = [1]"), "");
  EXPECT_NE(refusal_of(kHead + "this is no TOML"), "");
}

TEST(Thresholds, AGateThatNoRegressionStopsIsRefused) {
  EXPECT_NE(refusal_of("schema = 1\nmargin = 0.02\nfail_on = []"), "");
  EXPECT_NE(refusal_of("schema = 1\nmargin = 0.02\nfail_on = ['win']"), "");
}

TEST(Thresholds, WhatIsMissingNeedNotBeAskedFor) {
  EXPECT_TRUE(holds(refusal_of("schema = 1\nmargin = 0.02\nfail_on = ['regression', 'missing']"),
                    "'allow_missing' lists exceptions"));
}

TEST(Share, IsPercentOrABareNumberBelowOne) {
  EXPECT_DOUBLE_EQ(share_from_text("2%").value(), 0.02);
  EXPECT_DOUBLE_EQ(share_from_text("2.5 %").value(), 0.025);
  EXPECT_DOUBLE_EQ(share_from_text("0.02").value(), 0.02);
  EXPECT_DOUBLE_EQ(share_from_text("0").value(), 0);
  for (const char* text : {"2", "-0.1", "-1%", "", "%", "nan", "inf", "2%%", "0.02 of it"}) {
    EXPECT_FALSE(share_from_text(text)) << text;
  }
}

}  // namespace
}  // namespace assay::compare
