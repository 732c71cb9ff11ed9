// Tests that errors in JSON files are reported with the name of the member.
#include "harness/protocol/tree/json_tree.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/protocol/json.hpp"
#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

/// The error; empty if there is none.
template <typename Read>
std::string refusal(const Read& read) {
  return error_of<MalformedMessage>([&] { read(); });
}

std::string about(std::string_view text) {
  return refusal([&] { tree_from_json(text); });
}

template <typename T>
std::string about_member(std::string_view text) {
  return refusal([&] {
    T value{};
    JsonMembers(tree_from_json(text))("a", value);
  });
}

TEST(JsonTree, ATextThatIsNoJsonIsRefusedWithThePlace) {
  EXPECT_EQ(about("{\"a\": 1}\n"), "");
  EXPECT_EQ(about(" \n"), "it is empty; expected JSON");
  EXPECT_EQ(about("{\"a\": x}"), "it is not JSON: column 7 does not fit");
  EXPECT_EQ(about("{\n \"a\": x}"), "it is not JSON: line 2, column 7 does not fit");
  EXPECT_EQ(about("{\"a\": "), "it is not JSON: it ends too early");
  EXPECT_EQ(about("[1e999]"), "a number in it is larger than a double holds");
  EXPECT_EQ(about("{\"a\": \"\xff\"}"), "it is not JSON: column 8 does not fit");
}

TEST(JsonTree, AMemberMustBeThereAndOfItsKind) {
  EXPECT_EQ(about_member<std::string>(R"({"a": "x"})"), "");
  EXPECT_EQ(about_member<std::string>("[1]"), "expected an object, got [1]");
  EXPECT_EQ(about_member<std::string>("{}"), "'a' is missing");
  EXPECT_EQ(about_member<std::string>(R"({"a": null})"), "'a' must be a text, and is null");
  EXPECT_EQ(about_member<bool>(R"({"a": 1})"), "'a' must be true or false, and is 1");
  EXPECT_EQ(about_member<double>(R"({"a": "1"})"), "'a' must be a number, and is \"1\"");
  EXPECT_EQ(about_member<std::vector<std::string>>(R"({"a": ["x", 1]})"),
            "'a' must be a list, each item of it a text, and is [\"x\",1]");
  EXPECT_EQ((about_member<std::map<std::string, std::uint8_t>>(R"({"a": {"x": 256}})")),
            "'a' must be an object, each member of it a whole number from 0 to 255, and is "
            "{\"x\":256}");
}

TEST(JsonTree, AnotherSchemaIsNamedBesideTheWantedOne) {
  const auto about_schema = [](std::string_view text) {
    return refusal([&] { require_schema(tree_from_json(text), "assay.kills/1"); });
  };
  EXPECT_EQ(about_schema(R"({"schema": "assay.kills/1"})"), "");
  EXPECT_EQ(about_schema(R"({"schema": "assay.litmus/1"})"),
            "its schema is \"assay.litmus/1\", and not \"assay.kills/1\"");
  EXPECT_EQ(about_schema(R"({"schema": 1})"), "its schema is 1, and not \"assay.kills/1\"");
  EXPECT_EQ(about_schema("{}"), "'schema' is missing");
}

TEST(JsonTree, AWholeNumberIsNeverRoundedOrWrapped) {
  for (const char* number : {"1.5", "1e3", "true", "9223372036854775808"})
    EXPECT_NE(about_member<std::int64_t>(std::string("{\"a\": ") + number + "}"), "") << number;
  EXPECT_NE(about_member<std::uint64_t>(R"({"a": -1})"), "");
  EXPECT_EQ(about_member<std::uint64_t>(R"({"a": 18446744073709551615})"), "");
  EXPECT_EQ(about_member<std::int64_t>(R"({"a": -9223372036854775808})"), "");
}

TEST(JsonTree, WhatIsShownOfAValueIsShortAndPlain) {
  const std::string told = about_member<bool>("{\"a\": \"\u202e" + std::string(1000, 'y') + "\"}");

  EXPECT_LT(told.size(), 120U);
  EXPECT_TRUE(holds(told, R"("\u202eyy)")) << told;
}

TEST(JsonTree, AMemberThatMayBeMissingIsReadWhereItIsThere) {
  std::string value = "kept";
  JsonMembers(tree_from_json("{}")).if_there("a", value);
  EXPECT_EQ(value, "kept");
  JsonMembers(tree_from_json(R"({"a": "x"})")).if_there("a", value);
  EXPECT_EQ(value, "x");
  EXPECT_EQ(refusal([&] { JsonMembers(tree_from_json(R"({"a": 1})")).if_there("a", value); }),
            "'a' must be a text, and is 1");
}

TEST(JsonTree, LargeNumbersMayBeTexts) {
  std::uint64_t value = 0;
  for (const char* text : {R"("18446744073709551615")", "18446744073709551615"}) {
    read_large(tree_from_json(text), "seed", value);
    EXPECT_EQ(value, 18446744073709551615U);
  }
  for (const char* text :
       {R"("")", R"("x")", R"("1x")", R"("-1")", R"("18446744073709551616")", "-1", "null"}) {
    EXPECT_NE(refusal([&] { read_large(tree_from_json(text), "seed", value); }), "") << text;
  }
}

TEST(JsonTree, ExchangesAreListsOfTwo) {
  const auto told = [](std::string_view text) {
    return refusal([&] { exchanges_in(tree_from_json(text)); });
  };
  const auto read = exchanges_in(tree_from_json(R"({"exchanges": [[{"id": 1}, 2]]})"));

  EXPECT_EQ(read, (decltype(read){{R"({"id":1})", "2"}}));
  EXPECT_EQ(told(R"({"exchanges": {}})"), "'exchanges' must be a list, and is {}");
  EXPECT_EQ(told(R"({"exchanges": [[1, 2], [1]]})"),
            "exchange 2: expected [command, reply], got [1]");
}

}  // namespace
}  // namespace assay
