// Tests of support files and hello: which unsupported replies they excuse.
#include "harness/suite/waivers/support.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/protocol/testing.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

std::vector<SupportEntry> read(const std::string& rows) {
  return support_from_toml("[[unsupported]]\n" + rows, "mine.toml");
}

std::string refusal(const std::string& text) {
  return error_of<std::runtime_error>([&] { support_from_toml(text, "mine.toml"); });
}

TEST(SupportFile, HoldsCasesAndAReason) {
  const auto entries = read("cases = 'amp/*'\nreason = 'r'\ncommand = 'amp.plan'\n");

  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].cases, "amp/*");
  EXPECT_EQ(entries[0].command, "amp.plan");
  EXPECT_EQ(entries[0].place, "mine.toml:1");
  EXPECT_TRUE(support_from_toml("", "mine.toml").empty());
}

TEST(SupportFile, IsRefusedWithTheLineOfTheMistake) {
  for (const char* text :
       {"[[unsupported]]\ncases = 'amp/*'\n", "[[unsupported]]\nreason = 'r'\n",
        "[[unsupported]]\ncases = 'amp/*'\nreason = ''\n",
        "[[unsupported]]\ncases = 'amp/*'\nreason = ' '\n",
        "[[unsupported]]\ncases = 'amp/*'\nreason = 'tbd: why'\n", "[[unsuported]]\n",
        "unsupported = 1\n", "[[unsupported]]\ncases = 'amp/*'\nreason = 'r'\nverb = 'amp.plan'\n",
        "[[unsupported]]\ncases = 'amp/*'\nreason = 'r'\nreleases = ['9']\n", "x = \n"}) {
    EXPECT_TRUE(refusal(text).starts_with("mine.toml:")) << text << ": " << refusal(text);
  }
}

TEST(SupportFile, MayNotExcuseEverything) {
  for (const char* cases : {"*", "*/*", "?*", "a*"}) {
    const std::string rows =
        std::string("[[unsupported]]\nreason = 'r'\ncases = '") + cases + "'\n";
    EXPECT_TRUE(holds(refusal(rows), "must name an area")) << cases;
    EXPECT_NE(refusal(rows + "command = '*'\n"), "") << cases;
    EXPECT_EQ(refusal(rows + "command = 'counts'\n"), "") << cases;
    EXPECT_EQ(refusal(rows + "command = 'sim.*'\n"), "") << cases;
    for (const char* command : {"[a-z]*", "[!~]*", "*e*", "*.*", "a*", "??*"}) {
      EXPECT_NE(refusal(rows + "command = '" + command + "'\n"), "") << cases << command;
    }
  }
}

/// A case that stopped at `amp.plan`.
CaseResult stopped(const Contract& contract = {}) {
  static const Case test = case_of(send_one);
  CaseResult result;
  result.test = &test;
  result.contract = contract;
  result.outcome = Outcome::kUnsupported;
  result.lacks = "amp.plan";
  return result;
}

Hello claiming(std::vector<std::string> areas) {
  Hello hello;
  hello.areas = std::move(areas);
  return hello;
}

std::string excuse(const std::string& rows, const Contract& contract = {}) {
  CaseResult result = stopped(contract);
  SupportPolicy::foreign({}, read("reason = 'r'\n" + rows)).judge(result, claiming({"amp"}));
  EXPECT_EQ(result.excused, !result.excuse.empty());
  return result.excuse;
}

TEST(Support, GoesByCaseCommandDeviceAndRelease) {
  const Contract contract{Release::k2_4, DeviceRules::kCpu, Deviations::kStrict};

  EXPECT_EQ(excuse("cases = 'amp/*'\n"), "r");
  EXPECT_EQ(excuse("cases = 'amp/two'\n"), "");
  EXPECT_EQ(excuse("cases = '*'\ncommand = 'amp.pl*'\n"), "r");
  EXPECT_EQ(excuse("cases = 'amp/*'\ncommand = 'amp.unscale'\n"), "");
  EXPECT_EQ(excuse("cases = 'amp/*'\ndevice = 'cpu'\n", contract), "r");
  EXPECT_EQ(excuse("cases = 'amp/*'\ndevice = 'cuda'\n", contract), "");
  EXPECT_EQ(excuse("cases = 'amp/*'\nreleases = ['1.13', '2.4']\n", contract), "r");
  EXPECT_EQ(excuse("cases = 'amp/*'\nreleases = ['1.13']\n", contract), "");
}

TEST(Support, GoesByTheWordsOfTheRefusal) {
  CaseResult result = stopped();
  result.failure.emplace().sentence = "amp.plan: only of one device";
  const auto is_excused = [&](const std::string& says) {
    CaseResult judged = result;
    SupportPolicy::foreign({}, read("reason = 'r'\ncases = 'amp/*'\nsays = '" + says + "'\n"))
        .judge(judged, claiming({"amp"}));
    return judged.excused;
  };

  EXPECT_TRUE(is_excused("*amp.plan: *"));
  EXPECT_TRUE(is_excused("*one device"));
  EXPECT_FALSE(is_excused("amp.unscale: *"));
  EXPECT_FALSE(is_excused("only of one device"));
}

TEST(Support, ExcusesCommandsOfAreasThatAreNotClaimed) {
  const SupportPolicy policy = SupportPolicy::foreign({});
  CaseResult result = stopped();

  policy.judge(result, claiming({"core"}));
  EXPECT_EQ(result.excuse, "hello does not claim the area amp");
  result = stopped();
  result.lacks = "core.size";
  policy.judge(result, claiming({"amp"}));
  EXPECT_EQ(result.excuse, "hello does not claim the area core");
  result = stopped();
  result.lacks = "scope";
  policy.judge(result, claiming({"amp"}));
  EXPECT_TRUE(result.is_unanswered());
}

TEST(Support, NamesEntriesThatExcuseNothing) {
  const SupportPolicy policy = SupportPolicy::foreign(
      {},
      support_from_toml("[[unsupported]]\ncases = 'amp/one'\ncommand = 'amp.plan'\nreason = 'r'\n"
                        "[[unsupported]]\ncases = 'amp/one'\ncommand = 'amp.never'\nreason = 'r'\n"
                        "[[unsupported]]\ncases = 'amp/none'\nreason = 'r'\n",
                        "mine.toml"));

  const auto findings = policy.findings({stopped()}, claiming({"amp"}));

  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0],
            "mine.toml:5: 'amp/one' excuses nothing: every case of it is answered at "
            "amp.never");
  EXPECT_EQ(findings[1], "mine.toml:9: 'amp/none' excuses nothing: there is no such case");
  EXPECT_EQ(policy.findings({stopped()}, claiming({"core"})), std::vector{findings[1]});
}

/// Whether this built-in file excuses a case of runtime that stopped at that command.
bool excuses(std::string_view file, const std::string& lacks) {
  Case test = case_of(send_one);
  test.id = "runtime/streams/wait";
  CaseResult result = stopped();
  result.test = &test;
  result.lacks = lacks;
  for (const EmbeddedFile& built_in : suite_data()) {
    if (built_in.name != file) continue;
    const auto entries = support_from_toml(built_in.text, built_in.name);
    SupportPolicy::built_in({}, entries).judge(result, claiming({"runtime"}));
  }
  return result.excused;
}

TEST(Support, OfAGpuIsWithoutSimulationAlone) {
  for (const char* command : {"sim.log", "sim.machine", "runtime.gate"}) {
    EXPECT_TRUE(excuses("support/cuda.toml", command)) << command;
    EXPECT_FALSE(excuses("support/cuda_on_cpu.toml", command)) << command;
  }
  for (const char* command : {"runtime.kernel", "runtime.record", "memory.allocate"}) {
    EXPECT_FALSE(excuses("support/cuda.toml", command)) << command;
  }
}

}  // namespace
}  // namespace assay
