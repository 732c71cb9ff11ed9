// Tests of the known differences of newer PyTorchs: their releases, and invalid files.
#include "harness/suite/waivers/differences.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {
namespace {

constexpr const char* kFile = R"([[difference]]
cases = "amp/unscale/*"
torch = ["2.13", "2.15"]
reason = "no subnormals"
signature = ["differs"]
)";

std::string refusal(const std::string& text) {
  return error_of<std::runtime_error>([&] { differences_from_toml(text, "d.toml"); });
}

std::string with(const std::string& was, const std::string& becomes) {
  std::string text = kFile;
  return text.replace(text.find(was), was.size(), becomes);
}

TEST(TorchRelease, IsTheFirstTwoNumbersOfAVersion) {
  EXPECT_EQ(torch_release("2.15.0+cu132"), (TorchRelease{2, 15}));
  EXPECT_EQ(torch_release("2.9"), (TorchRelease{2, 9}));
  EXPECT_EQ(torch_release("2.16.0a0+git1234"), (TorchRelease{2, 16}));
  EXPECT_LT(*torch_release("2.9.1"), *torch_release("2.11.0"));
  for (const char* text : {"", "2", "2.", "two.1", ".2"}) EXPECT_FALSE(torch_release(text)) << text;
}

TEST(Differences, BelongToTheReleasesThatTheyName) {
  const std::vector<KnownDifference> read = differences_from_toml(kFile, "d.toml");

  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].torch, (std::vector<TorchRelease>{{2, 13}, {2, 15}}));
  EXPECT_EQ(read[0].waiver.place, "d.toml:1");
  EXPECT_EQ(read[0].waiver.tokens, std::vector<std::string>{"differs"});
}

TEST(Differences, AreRefusedWithLineAndColumn) {
  EXPECT_EQ(refusal(kFile), "");
  EXPECT_TRUE(holds(refusal(with("torch = [\"2.13\", \"2.15\"]\n", "")), "d.toml:1:1: "));
  EXPECT_TRUE(holds(refusal(with("\"2.13\"", "\"2.13.0\"")), "'2.13.0' is not a release such as"));
  EXPECT_TRUE(holds(refusal(with("reason", "owner")), "a difference has no 'owner'"));
  EXPECT_TRUE(holds(refusal(with("[[difference]]", "[[waiver]]")), "expected [[difference]]"));
}

TEST(Differences, NeitherExpireNorAreFindings) {
  Case test;
  test.id = "amp/unscale/flushes";
  CaseResult result;
  result.test = &test;
  result.contract = *contract_from_text("2.11/cuda/compat");
  result.outcome = Outcome::kFail;
  result.failure = Failure{"element 0 differs", "1", "2", "", ""};
  std::vector<Waiver> known;
  for (const KnownDifference& difference : differences_from_toml(kFile, "d.toml")) {
    known.push_back(difference.waiver);
    known.back().known_of = "PyTorch 2.15";
  }
  WaiverPolicy waivers(known, *day_from_text("2999-01-01"));
  WaiverPolicy unused(known, *day_from_text("2999-01-01"));

  waivers.judge(result);

  EXPECT_EQ(result.outcome, Outcome::kWaived);
  EXPECT_TRUE(result.known);
  EXPECT_EQ(result.excuse, "known difference of PyTorch 2.15: no subnormals");
  EXPECT_TRUE(waivers.findings().empty());
  EXPECT_TRUE(unused.findings().empty());
}

}  // namespace
}  // namespace assay
