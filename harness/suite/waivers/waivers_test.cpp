// Tests of waivers: which failures they match, when they expire, and invalid files.
#include "harness/suite/waivers/waivers.hpp"

#include <gtest/gtest.h>

#include "harness/suite/runner/selection.hpp"

namespace assay {
namespace {

constexpr const char* kFile = R"([[waiver]]
cases = "amp/unscale/*"
device = "npu*"
releases = ["2.4", "2.11"]
reason = "no subnormals"
link = "https://example.org/7"
owner = "kernels"
expires = 2027-03-31
signature = ["differs", "0x0p+0"]
)";

std::string refusal(const std::string& text) {
  try {
    waivers_from_toml(text, "w.toml");
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::string without(const std::string& key) {
  std::string text = kFile;
  const std::size_t at = text.find("\n" + key) + 1;
  return text.erase(at, text.find('\n', at) + 1 - at);
}

/// A failure of `amp/unscale/flushes` under the rules of an accelerator called `npu`.
class Waivers : public testing::Test {
 protected:
  Waivers() { test_.id = "amp/unscale/flushes"; }

  CaseResult failed(const std::string& sentence, const std::string& contract = "2.4/cuda/strict") {
    CaseResult result;
    result.test = &test_;
    result.contract = *contract_from_text(contract);
    result.outcome = Outcome::kFail;
    result.failure = Failure{sentence, "0x1p-140", "0x0p+0", "", ""};
    return result;
  }

  static WaiverPolicy policy(const std::string& today, const std::string& text = kFile) {
    return {waivers_from_toml(text, "w.toml"), *day_from_text(today)};
  }

  Outcome judged(WaiverPolicy& waivers, CaseResult result) {
    SubjectInfo info;
    info.name = "toy";
    info.devices = {{"cpu", -1}, {"npu", 0}};
    waivers.set_subject("./toy.so", info);
    waivers.judge(result);
    return result.outcome;
  }

  Case test_;
};

TEST_F(Waivers, CoverTheirFailureThroughTheirLastDay) {
  WaiverPolicy last_day = policy("2027-03-31");
  WaiverPolicy day_after = policy("2027-04-01");

  EXPECT_EQ(judged(last_day, failed("element 0 Differs")), Outcome::kWaived);
  EXPECT_TRUE(last_day.findings().empty());
  EXPECT_EQ(judged(day_after, failed("element 0 differs")), Outcome::kFail);
  ASSERT_EQ(day_after.findings().size(), 1U);
  EXPECT_NE(day_after.findings()[0].find("w.toml:1: "), std::string::npos);
  EXPECT_NE(day_after.findings()[0].find("expired after 2027-03-31"), std::string::npos);
}

TEST_F(Waivers, DoNotCoverAnotherFailureReleaseOrDevice) {
  WaiverPolicy waivers = policy("2026-11-21");

  EXPECT_EQ(judged(waivers, failed("the shape is wrong")), Outcome::kFail);
  EXPECT_EQ(judged(waivers, failed("differs", "1.13/cuda/strict")), Outcome::kFail);
  EXPECT_EQ(judged(waivers, failed("differs", "2.4/cpu/strict")), Outcome::kFail);
  CaseResult internal = failed("differs");
  internal.outcome = Outcome::kInternal;
  EXPECT_EQ(judged(waivers, internal), Outcome::kInternal);
  ASSERT_EQ(waivers.findings().size(), 1U);
  EXPECT_NE(waivers.findings()[0].find("no failure had its signature"), std::string::npos);
}

TEST_F(Waivers, AreReportedWhenACasePasses) {
  WaiverPolicy waivers = policy("2026-11-21");
  CaseResult passed = failed("");
  passed.outcome = Outcome::kPass;
  passed.failure.reset();

  EXPECT_EQ(judged(waivers, passed), Outcome::kPass);
  ASSERT_EQ(waivers.findings().size(), 1U);
  EXPECT_NE(waivers.findings()[0].find("which pass: amp/unscale/flushes"), std::string::npos);
}

TEST_F(Waivers, OfAPatternLookAtTheSentence) {
  std::string text = without("signature") + "signature = \"element * differs\"\n";
  WaiverPolicy waivers = policy("2026-11-21", text);

  EXPECT_EQ(judged(waivers, failed("element 3 differs")), Outcome::kWaived);
  EXPECT_EQ(judged(waivers, failed("element 3 differs by 2 ulp")), Outcome::kFail);
}

TEST_F(Waivers, CountWhatWasWaivedBefore) {
  WaiverPolicy waivers = policy("2026-11-21");
  CaseResult before = failed("differs");
  before.outcome = Outcome::kWaived;

  EXPECT_EQ(judged(waivers, before), Outcome::kWaived);
  EXPECT_TRUE(waivers.findings().empty());
}

TEST(WaiverFile, IsRefusedWithLineAndColumn) {
  EXPECT_EQ(refusal(kFile), "");
  EXPECT_EQ(refusal(""), "");
  for (const char* key : {"reason", "link", "owner", "expires", "signature"}) {
    EXPECT_EQ(refusal(without(key)), std::string("w.toml:1:1: this waiver lacks '") + key + "'");
  }
  EXPECT_NE(refusal("[[waiver]\n").find("w.toml:1:"), std::string::npos);
  EXPECT_NE(refusal("waiver = 3\n").find("w.toml:1:10: 'waiver' must be written"),
            std::string::npos);
  EXPECT_NE(refusal("[[wavier]]\n").find("expected [[waiver]], got 'wavier'"), std::string::npos);
  EXPECT_NE(
      refusal(without("expires") + "expires = \"2027-02-30\"\n").find("w.toml:9:11: 'expires'"),
      std::string::npos);
  EXPECT_NE(refusal(without("releases") + "releases = [\"3.0\"]\n").find("'3.0' is not a release"),
            std::string::npos);
}

TEST(WaiverFile, CutAnywhereIsReadOrRefusedWithAPlace) {
  const std::string text = kFile;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string why = refusal(text.substr(0, length));
    EXPECT_TRUE(why.empty() || why.starts_with("w.toml:")) << why;
  }
}

}  // namespace
}  // namespace assay
