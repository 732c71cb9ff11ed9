// Tests that litmus records are read back, and that other text is rejected.
#include "harness/report/litmus_record.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/protocol/testing.hpp"

namespace assay::report {
namespace {

LitmusRecord example() {
  return {"mine",
          "2.11/cuda/strict",
          "schedule random, seed 1",
          {{"LT-04",
            "message passing",
            "st(S0,x,1); ld(S1,x)",
            {"ld(S1,x)"},
            true,
            false,
            60,
            {{{1}, true, 59}, {{0}, false, 1}, {{2}, true, 0}},
            "",
            ""},
           {"LT-05", "waits", "w", {}, false, true, 0, {}, "no events", "the subject ended"}},
          1,
          "FAIL 2 programs"};
}

TEST(LitmusRecord, IsReadAsItWasWritten) {
  const std::string text = to_json(example());
  EXPECT_EQ(to_json(litmus_from_json(text)), text);
}

TEST(LitmusRecord, WhatIsNoneIsRefused) {
  const std::string text = to_json(example());
  const std::pair<const char*, const char*> changes[] = {{"assay.litmus/1", "assay.litmus/2"},
                                                         {"\"times\": 59", "\"times\": -59"},
                                                         {"\"times\": 59", "\"time\": 59"},
                                                         {"\"ld(S1,x)\"", "\"a\", \"b\""},
                                                         {"\"runs\": 60", "\"runs\": \"60\""}};
  for (const auto& [was, becomes] : changes) {
    std::string other = text;
    other.replace(other.find(was), std::string_view(was).size(), becomes);
    EXPECT_THROW(litmus_from_json(other), std::runtime_error) << becomes;
  }
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_THROW(litmus_from_json(text.substr(0, length)), std::runtime_error) << length;
  EXPECT_THROW(litmus_from_json(std::string(300'000, '[')), std::runtime_error);
}

TEST(LitmusRecord, ThatIsDamagedIsReadOrRefused) {
  const std::string text = to_json(example());
  Damage damage(1, other_json_values());
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    try {
      litmus_from_json(damage(text));
    } catch (const std::runtime_error& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    }
  }
  EXPECT_GT(refused, 500) << "the damage has become harmless";
}

}  // namespace
}  // namespace assay::report
