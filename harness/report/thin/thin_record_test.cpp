// Tests that cases taken from a record are restored, and that invalid ones are not taken.
#include "harness/report/thin/thin_record.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/protocol/message.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::report {
namespace {

constexpr const char* kPassing =
    R"({"id":"a","contract":"2.4/cpu/strict","outcome":"pass","clauses":["X-1"],"seconds":0.5,"file":"f","line":3})";

std::string with_cases(const std::string& cases) {
  return R"({"schema":"assay.run/1","subjects":[{"subject":"s","cases":[)" + cases + "]}]}";
}

std::size_t taken_from(const std::string& cases) {
  const auto thin = without_plain_cases(with_cases(cases));
  return thin ? thin->taken.at(0).size() : 0;
}

TEST(ThinRecord, PlainCasesAreTakenAndTheRestStays) {
  const std::string other = R"({"id":"b","outcome":"fail"})";

  const auto thin =
      without_plain_cases(with_cases(fmt::format("{0},{1}, {0} ,{1}", kPassing, other)));

  ASSERT_TRUE(thin);
  EXPECT_EQ(thin->rest, with_cases(other + "," + other));
  ASSERT_EQ(thin->taken.size(), 1U);
  ASSERT_EQ(thin->taken[0].size(), 2U);
  EXPECT_EQ(thin->taken[0][1].place, 2U);
  const CaseRecord& test = thin->taken[0][0].test;
  EXPECT_EQ(test.id, "a");
  EXPECT_EQ(test.contract, "2.4/cpu/strict");
  EXPECT_EQ(test.clauses, std::vector<std::string>{"X-1"});
  EXPECT_EQ(test.seconds, 0.5);
  EXPECT_EQ(test.line, 3U);
}

TEST(ThinRecord, ContractsOfEveryReleaseAreTakenAndNoOthers) {
  const auto under = [](const std::string& contract) {
    std::string text = kPassing;
    return text.replace(text.find("2.4/cpu/strict"), 14, contract);
  };

  for (const std::string& release : release_names()) {
    EXPECT_EQ(taken_from(under(release + "/cpu/strict")), 1U) << release;
    EXPECT_EQ(taken_from(under(release + "/cuda/compat")), 1U) << release;
  }
  for (const char* other : {"2.10/cpu/strict", "2.11/cpu", "2.11", "2.11//strict",
                            "2.11/cpu/strict/", "2.11/cpu/cuda/strict"}) {
    EXPECT_EQ(taken_from(under(other)), 0U) << other;
  }
}

TEST(ThinRecord, ACaseKeepsItsReach) {
  const std::string text = kPassing;
  const auto with = [&](const char* reach) {
    return text.substr(0, text.size() - 1) + R"(,"reach":")" + reach + "\"}";
  };

  const auto thin = without_plain_cases(with_cases(with("state")));

  ASSERT_TRUE(thin);
  EXPECT_EQ(thin->taken.at(0).at(0).test.reach, "state");
  EXPECT_EQ(taken_from(with("training")), 0U);
}

TEST(ThinRecord, EachSubjectKeepsItsOwn) {
  const std::string text = fmt::format(
      R"({{"subjects":[{{"cases":[{0}]}},{{"cases":[]}},{{"cases":[{0},{0}]}}]}})", kPassing);
  const auto thin = without_plain_cases(text);
  ASSERT_TRUE(thin);
  ASSERT_EQ(thin->taken.size(), 3U);
  EXPECT_EQ(thin->taken[0].size(), 1U);
  EXPECT_EQ(thin->taken[1].size(), 0U);
  EXPECT_EQ(thin->taken[2].size(), 2U);
}

TEST(ThinRecord, WhatMayBreakTheSchemaStays) {
  ASSERT_EQ(taken_from(kPassing), 1U);
  const std::pair<const char*, const char*> changes[] = {
      {"\"a\"", "\"\""},         {"2.4/cpu", "2.5/cpu"},  {"\"pass\"", "\"passed\""},
      {"[\"X-1\"]", "\"X-1\""},  {"[\"X-1\"]", "[1]"},    {"0.5", "-0.5"},
      {"0.5", "\"0.5\""},        {"\"f\"", "null"},       {"3}", "-3}"},
      {"3}", "4294967296}"},     {"3}", "3.5}"},          {"3}", "3,\"line\":4}"},
      {"3}", "3,\"excuse\":4}"}, {",\"file\":\"f\"", ""}, {"\"file\"", "\"excuse\""},
      {"\"a\"", "\"\\ud800\""},  {"0.5", "00.5"},         {"\"f\"", "\"\x01\""}};
  for (const auto& [was, becomes] : changes) {
    std::string test = kPassing;
    test.replace(test.find(was), std::string_view(was).size(), becomes);
    EXPECT_EQ(taken_from(test), 0U) << test;
  }
}

constexpr const char* kFailing =
    R"({"id":"b","contract":"2.11/cuda/compat","outcome":"fail","clauses":[],"seconds":1,"file":"f","line":3,
        "failure":{"sentence":"s \"q\"","expected":"e","got":"g","where":"w","last_words":""},"replay":"r","shortest":"a\nb",
        "program":[{"command": {"id": 1, "with": {"x": [-1, null, true, "\u00e9\u0001\n\"\\"], "y": {}}}, "reply": "no {"}]})";

TEST(ThinRecord, AFailureComesAsTheTreeHasIt) {
  const auto thin = without_plain_cases(with_cases(kFailing));

  ASSERT_TRUE(thin);
  ASSERT_EQ(thin->taken.at(0).size(), 1U);
  const CaseRecord& test = thin->taken[0][0].test;
  EXPECT_EQ(test.sentence, "s \"q\"");
  EXPECT_EQ(test.got, "g");
  EXPECT_EQ(test.replay, "r");
  EXPECT_EQ(test.shortest, "a\nb");
  const auto tree = nlohmann::ordered_json::parse(kFailing);
  ASSERT_EQ(test.program.size(), 1U);
  EXPECT_EQ(test.program[0].first, tree["program"][0]["command"].dump());
  EXPECT_EQ(test.program[0].second, "no {");
}

TEST(ThinRecord, WhatMayBreakTheSchemaOfAFailureStays) {
  ASSERT_EQ(taken_from(kFailing), 1U);
  const std::pair<const char*, const char*> changes[] = {{"\"got\":\"g\",", ""},
                                                         {"\"g\"", "1"},
                                                         {"\"got\"", "\"more\""},
                                                         {"\"reply\"", "\"answer\""},
                                                         {"\"no {\"", "1"},
                                                         {"\"no {\"", "[]"},
                                                         {"\"r\"", "null"},
                                                         {"\"a\\nb\"", "1"},
                                                         {"-1", "1.5"},
                                                         {"-1", "1e400"},
                                                         {"-1", "99999999999999999999"},
                                                         {"[{", "[1,{"},
                                                         {"\"failure\"", "\"lacks\""},
                                                         {"\\u00e9", "\\ud800"}};
  for (const auto& [was, becomes] : changes) {
    std::string test = kFailing;
    ASSERT_TRUE(holds(test, was)) << was;
    test.replace(test.find(was), std::string_view(was).size(), becomes);
    EXPECT_EQ(taken_from(test), 0U) << test;
  }
}

TEST(ThinRecord, WhatIsNoRecordIsReadWhole) {
  const std::string whole = with_cases(kPassing);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(without_plain_cases(whole.substr(0, length))) << length;
  for (const char* text : {"[]", "{\"subjects\":{}}", "{\"subjects\":[1]}", "{\"a\":1,\"a\":1}",
                           "{\"subjects\":[{\"cases\":[],\"cases\":[]}]}", "{} {}"}) {
    EXPECT_FALSE(without_plain_cases(text)) << text;
  }
}

TEST(ThinRecord, TheyGoBackToTheirPlaces) {
  const auto named = [](const char* id) {
    CaseRecord test;
    test.id = id;
    return test;
  };
  std::vector<CaseRecord> cases{named("1"), named("2"), named("5")};

  put_back({{0, named("0")}, {3, named("3")}, {4, named("4")}, {6, named("6")}}, cases);

  std::string ids;
  for (const CaseRecord& test : cases) ids += test.id;
  EXPECT_EQ(ids, "0123456");
}

}  // namespace
}  // namespace assay::report
