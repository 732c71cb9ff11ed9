// Tests of valid and invalid replies to hello.
#include "harness/suite/runner/hello.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/protocol/testing.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

TEST(Hello, TakesFromTheWishWhatTheSubjectLeavesOut) {
  Scripted link;
  link.hello.ok.set("release", "2.4");

  const SubjectInfo info =
      say_hello(link, {Release::k1_13, DeviceRules::kCpu, Deviations::kCompat});

  EXPECT_EQ(to_text(info.contract), "2.4/cpu/compat");
  EXPECT_EQ(info.devices.size(), 1U);
}

TEST(Hello, RefusesAnotherProtocolAndAnswersThatAreNone) {
  Scripted link;
  link.hello.ok.set("protocol", 2);
  EXPECT_THROW(say_hello(link, {}), BadReply);
  link.hello.ok.set("protocol", 1);
  link.hello.ok.set("areas", "amp");
  EXPECT_THROW(say_hello(link, {}), BadReply);
  link.hello = Reply::make_error(ErrorKind::kError, "no");
  EXPECT_THROW(say_hello(link, {}), BadReply);
}

TEST(Hello, SaysWhichContractsThereAre) {
  Scripted link;
  link.hello.ok.set("release", "2.10");
  EXPECT_EQ(
      error_of<BadReply>([&] { say_hello(link, {}); }),
      "hello: 'release' cannot be '2.10'; it is one of 1.13, 2.4, 2.11, 2.12, 2.13, 2.14, 2.15: "
      "the newest that is not newer than the PyTorch whose rules the subject follows");
  link.hello.ok.set("release", "2.4");
  link.hello.ok.set("deviations", "loose");
  EXPECT_EQ(error_of<BadReply>([&] { say_hello(link, {}); }),
            "hello: 'deviations' cannot be 'loose'; it is one of strict, compat, foreign");
}

TEST(Hello, NamesWhatTheSubjectIsWithout) {
  Scripted link;
  EXPECT_TRUE(say_hello(link, {}).without.empty());
  link.hello.ok.set("without", List{{"core", "dispatch.reset_*"}});

  const std::vector<std::string> without = say_hello(link, {}).without;

  EXPECT_NE(named_without(without, "core.size"), nullptr);
  EXPECT_NE(named_without(without, "dispatch.reset_library"), nullptr);
  EXPECT_EQ(named_without(without, "dispatch.call"), nullptr);
  EXPECT_EQ(named_without(without, "cores.size"), nullptr);
  EXPECT_EQ(named_without(without, ""), nullptr);
}

std::string refusal(const char* member, const char* word) {
  Scripted link;
  link.hello.ok.set(member, List{{word}});
  return error_of<BadReply>([&] { say_hello(link, {}); });
}

TEST(Hello, RefusesWordsThatMeanNothing) {
  EXPECT_EQ(refusal("areas", "apm"), "hello: 'areas': unknown area 'apm'; did you mean amp?");
  EXPECT_EQ(refusal("areas", "Amp"), "hello: 'areas': unknown area 'Amp'; did you mean amp?");
  EXPECT_TRUE(holds(refusal("without", "apm.plan"), "unknown area 'apm'; did you mean amp?"));
  EXPECT_TRUE(holds(refusal("without", "amp.plam"), "unknown command 'amp.plam'; did you mean"));
  EXPECT_TRUE(holds(refusal("without", "count"), "unknown word 'count'; did you mean counts"));
  EXPECT_TRUE(holds(refusal("without", "amp.plam*"), "no command matches 'amp.plam*'"));
  EXPECT_TRUE(holds(refusal("without", "core.storage.strides"), "unknown command"));
  for (const char* word : {"amp", "amp.plan", "amp.un*", "counts", "code", "scope",
                           "core.storage.offset", "value.result"}) {
    EXPECT_EQ(refusal("without", word), "") << word;
  }
}

TEST(Hello, OfAForeignSubjectIsStrictAndSaysSo) {
  Scripted link;
  EXPECT_FALSE(say_hello(link, {}).foreign);
  link.hello.ok.set("deviations", "foreign");

  const Hello hello = say_hello(link, {Release::k2_4, DeviceRules::kCpu, Deviations::kCompat});

  EXPECT_TRUE(hello.foreign);
  EXPECT_EQ(to_text(hello.contract), "2.4/cpu/strict");
}

TEST(Hello, TellsPropertiesOfThePlatform) {
  Scripted link;
  EXPECT_TRUE(say_hello(link, {}).properties.empty());
  link.hello.ok.set("properties", List{{"double_scale", "bool_flag", "double_scale"}});

  EXPECT_EQ(say_hello(link, {}).properties,
            (std::vector{Property::kBoolFlag, Property::kDoubleScale}));
  EXPECT_TRUE(holds(refusal("properties", "flushes_subnormal"),
                    "unknown property 'flushes_subnormal'; did you mean flushes_subnormals?"));
}

TEST(Hello, IsComparedWithAnEarlierOneButForOrder) {
  Hello first;
  first.name = "mine";
  first.areas = {"amp", "core"};
  first.devices = {{"cpu", -1}, {"cuda", 0}};
  Hello later = first;
  std::ranges::reverse(later.areas);
  std::ranges::reverse(later.devices);
  EXPECT_EQ(difference_between(first, later), "");

  later.areas = {"amp"};
  later.devices.pop_back();
  later.properties = {Property::kBoolFlag};

  EXPECT_EQ(difference_between(first, later),
            "devices: cpu, cuda:0 became cuda:0; areas: amp, core became amp; properties: none "
            "became bool_flag");
  EXPECT_THROW(check_identity({first}, first.contract, later), SubjectChanged);
  check_identity({first}, Contract{Release::k1_13, DeviceRules::kCpu, Deviations::kStrict}, later);
}

TEST(Hello, RefusesAGlobThatIsOfEveryArea) {
  for (const char* glob : {"*", "*.call", "[a-z]*.size", "?mp", ""}) {
    Scripted link;
    link.hello.ok.set("without", List{{glob}});
    EXPECT_THROW(say_hello(link, {}), BadReply) << glob;
  }
}

TEST(Hello, FindsTheOneContractOfASubjectThatStatesIts) {
  Scripted link;
  link.hello.ok.set("release", "2.4");
  link.hello.ok.set("device_rules", "cpu");
  link.hello.ok.set("deviations", "compat");

  const auto offered = offered_contracts(link, wanted_contracts({}));

  ASSERT_EQ(offered.size(), 1U);
  EXPECT_EQ(to_text(offered[0]), "2.4/cpu/compat");
}

/// Was built when 2.11 was the newest release: it knows no later one.
class OlderLink final : public Link {
 public:
  Reply exchange(const Command& command) override {
    const auto release = release_named(*command.with.find("release")->get_if<std::string>());
    if (*release > Release::k2_11) return Reply::make_invalid("hello: there is no such release");
    return link_.exchange(command);
  }
  void restart() override {}

 private:
  Scripted link_;
};

TEST(Hello, AsksASubjectThatIsOlderThanAReleaseForEarlierOnes) {
  OlderLink link;
  Selection cuda;
  cuda.device_rules = DeviceRules::kCuda;
  cuda.deviations = Deviations::kStrict;

  const auto offered = offered_contracts(link, wanted_contracts(cuda));

  ASSERT_EQ(offered.size(), 3U);
  EXPECT_EQ(to_text(offered[0]), "2.11/cuda/strict");
  cuda.release = Release::k2_15;
  EXPECT_THROW(offered_contracts(link, wanted_contracts(cuda)), BadReply);
}

/// Dies at every hello, and reports whether it has answered before.
class DeadLink final : public Link, public FirstReply {
 public:
  explicit DeadLink(bool answered) : answered_(answered) {}
  Reply exchange(const Command&) override {
    throw LinkBroken(LinkBroken::Cause::kDied, "the subject ended with status 2", "no such script");
  }
  void restart() override {}
  bool has_ever_answered() const override { return answered_; }

 private:
  bool answered_;
};

TEST(Hello, TellsWhatNeverStartedFromWhatWasLost) {
  DeadLink never(false);
  DeadLink later(true);

  EXPECT_THROW(hello_with_retries(never, {}), SubjectNotStarted);
  try {
    hello_with_retries(later, {});
    FAIL() << "it answered";
  } catch (const SubjectNotStarted&) {
    FAIL() << "it had answered before";
  } catch (const SubjectLost& lost) {
    EXPECT_EQ(lost.last_words(), "no such script");
  }
}

}  // namespace
}  // namespace assay
