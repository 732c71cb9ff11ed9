// Tests of fields of comma-separated values.
#include "harness/text/csv.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Csv, PlainTextStaysAsItIs) {
  EXPECT_EQ(for_csv("amp/update_scale"), "amp/update_scale");
  EXPECT_EQ(for_csv(""), "");
  EXPECT_EQ(for_csv("a = b"), "a = b");
}

TEST(Csv, WhatWouldEndAFieldIsQuoted) {
  EXPECT_EQ(for_csv("a,b"), "\"a,b\"");
  EXPECT_EQ(for_csv("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(for_csv("a\nb"), "\"a\nb\"");
}

TEST(Csv, NoTextTellsATerminalWhatToDo) {
  EXPECT_EQ(for_csv("a\rb\x1b[2J\xc2\x9b"), "a\\x0db\\x1b[2J\\u{9b}");
}

TEST(Csv, NoTextIsACommandToACiSystem) {
  EXPECT_EQ(for_csv("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(for_csv("a\n::error::x ##[b]"), "\"a\n\\x3a:error::x #\\x23[b]\"");
}

TEST(Csv, NoTextIsAFormula) {
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx"}) {
    EXPECT_EQ(for_csv(text), "'" + std::string(text));
  }
  EXPECT_EQ(for_csv("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
}

}  // namespace
}  // namespace assay
