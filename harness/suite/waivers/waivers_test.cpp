// Tests of waivers: which failures they match, when they expire, and invalid files.
#include "harness/suite/waivers/waivers.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "harness/protocol/testing.hpp"
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

/// Empty if it can be read.
std::string refusal(const std::string& text) {
  return error_of<std::runtime_error>([&] { waivers_from_toml(text, "w.toml"); });
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
  EXPECT_TRUE(holds(day_after.findings()[0], "w.toml:1: "));
  EXPECT_TRUE(holds(day_after.findings()[0], "expired after 2027-03-31"));
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
  EXPECT_TRUE(holds(waivers.findings()[0], "no failure had its signature"));
}

TEST_F(Waivers, AreReportedWhenACasePasses) {
  WaiverPolicy waivers = policy("2026-11-21");
  CaseResult passed = failed("");
  passed.outcome = Outcome::kPass;
  passed.failure.reset();

  EXPECT_EQ(judged(waivers, passed), Outcome::kPass);
  ASSERT_EQ(waivers.findings().size(), 1U);
  EXPECT_TRUE(holds(waivers.findings()[0], "which pass: amp/unscale/flushes"));
}

TEST_F(Waivers, LeaveTheOutcomeThatTheyCover) {
  WaiverPolicy waivers = policy("2026-11-21");
  CaseResult result = failed("differs");
  result.outcome = Outcome::kTimeout;
  SubjectInfo info;
  info.devices = {{"npu", 0}};
  waivers.set_subject("./toy.so", info);

  waivers.judge(result);

  EXPECT_EQ(result.outcome, Outcome::kWaived);
  EXPECT_EQ(result.unwaived, Outcome::kTimeout);
}

TEST_F(Waivers, OfARecordKnowWhetherTheirCaseExists) {
  std::vector<Waiver> read = waivers_from_toml(kFile, "w.toml");
  EXPECT_FALSE(WaiverPolicy(read, *day_from_text("2026-11-21")).findings().empty());

  read.front().names_a_case = true;

  EXPECT_TRUE(WaiverPolicy(read, *day_from_text("2026-11-21")).findings().empty());
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
  EXPECT_TRUE(holds(refusal("[[waiver]\n"), "w.toml:1:"));
  EXPECT_TRUE(holds(refusal("waiver = 3\n"), "w.toml:1:10: 'waiver' must be written"));
  EXPECT_TRUE(holds(refusal("[[wavier]]\n"), "expected [[waiver]], got 'wavier'"));
  EXPECT_TRUE(
      holds(refusal(without("expires") + "expires = \"2027-02-30\"\n"), "w.toml:9:11: 'expires'"));
  EXPECT_TRUE(
      holds(refusal(without("releases") + "releases = [\"3.0\"]\n"), "'3.0' is not a release"));
}

// Tests that a damaged waiver file is read, or rejected with line and column.

constexpr const char* kTwoWaivers = R"(# Known.
[[waiver]]
cases = "amp/unscale/*"
device = "npu*"
releases = ["2.4", "2.11"]
reason = "no subnormals"
link = "https://example.org/7"
owner = 'kernels'
expires = 2027-03-31
signature = ["differs", "0x0p+0"]

[[waiver]]
cases = "core/\u00e9"
reason = """
more
than a line"""
link = "none"
owner = "me"
expires = "2027-03-31"
signature = "*"
)";

bool is_clear(const std::string& refusal) {
  static const std::regex form(R"(w\.toml:\d+:\d+: \S[^]*)");
  return refusal.empty() || std::regex_match(refusal, form);
}

TEST(DamagedWaivers, CutAnywhereAreReadOrRefusedWithThePlace) {
  const std::string text = kTwoWaivers;
  ASSERT_EQ(refusal(text), "");

  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string why = refusal(text.substr(0, length));
    ASSERT_TRUE(is_clear(why)) << "cut to " << length << ": " << why;
  }
}

TEST(DamagedWaivers, AreReadOrRefusedWithThePlace) {
  Damage damage(3, {"1", "true", "[]", "[1]", "{}", "\"\"", "nan", "2027-13-01", "2027-02-30",
                    "1979-05-27T07:32:00Z", "'", "\"\"\"", "\"\\ud800\"", "99999999999999999999"});
  int refused = 0;

  for (int i = 0; i < 3000; ++i) {
    const std::string text = damage(kTwoWaivers);
    const std::string why = refusal(text);
    ASSERT_TRUE(is_clear(why)) << why << "\n" << text;
    refused += why.empty() ? 0 : 1;
  }

  EXPECT_GT(refused, 1000) << "the damage has become harmless";
}

}  // namespace
}  // namespace assay
