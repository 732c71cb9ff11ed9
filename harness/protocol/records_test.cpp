// Unit tests of reading lists of flat records.
#include "harness/protocol/records.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

TEST(Records, AStringIsAListOfOneAndAListStaysAList) {
  const auto records = records_from_json(R"({"rows":[{"id":"A","in":["x","y"]}]})", "rows");

  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(text_in(records[0], "id"), "A");
  EXPECT_EQ(texts_in(records[0], "in"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(text_in(records[0], "absent"), "");
}

TEST(Records, AListOfStringsIsRead) {
  EXPECT_EQ(strings_from_json(R"({"offered":["a","b"]})", "offered"),
            (std::vector<std::string>{"a", "b"}));
}

TEST(Records, WhatIsNotSuchADocumentIsRefused) {
  for (const char* text : {"", "[]", R"({"rows":1})", R"({"rows":[1]})", R"({"rows":[{"id":1}]})",
                           R"({"rows":[{"id":["a",1]}]})"}) {
    EXPECT_THROW(records_from_json(text, "rows"), MalformedMessage) << text;
  }
}

}  // namespace
}  // namespace assay
