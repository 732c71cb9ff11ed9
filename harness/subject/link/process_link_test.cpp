// Tests of the process transport, with valid and misbehaving child processes.
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "harness/protocol/json.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/link/link_to_shell.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/subject/toy_subject.hpp"

namespace assay {
namespace {

using Cause = LinkBroken::Cause;
using namespace std::chrono_literals;

TEST(ProcessLinkTest, AProcessAnswersLikeASubjectInThisProcess) {
  const auto process = connect_process({.argv = {ASSAY_TOY_SERVER}});
  const auto here = connect_in_process([] { return std::make_unique<ToySubject>(); });
  const Command box = command("toy.box", {{"value", List{{1, 2.5, "\xc3\xa9\n"}}}}, "x");
  const Command read = command("toy.read", {{"box", Ref{"x"}}});
  const Block program{command("hello"),
                      box,
                      box,
                      read,
                      scope_of({}, {read, command("nonsense")}),
                      on_thread("a", {read}),
                      command("toy.throw", {{"what", "int"}})};

  for (std::size_t i = 0; i < program.size(); ++i) {
    const Command wanted = numbered(static_cast<std::int64_t>(i), program[i]);
    EXPECT_EQ(to_json(process->exchange(wanted)), to_json(here->exchange(wanted)));
  }
}

TEST(ProcessLinkTest, NoiseIsSkipped) {
  const auto link = shell(
      R"(while read line; do echo hello; echo "{'a': 1}"; echo; echo '{"id":1,"ok":{}}'; done)");

  EXPECT_TRUE(link->exchange(numbered(1)).succeeded());
  EXPECT_TRUE(link->exchange(numbered(1)).succeeded());
}

TEST(ProcessLinkTest, NothingButNoiseBreaksTheLink) {
  const LinkBroken broken = break_of("yes noise");

  EXPECT_EQ(broken.cause(), Cause::kDied);
  EXPECT_TRUE(holds(broken.what(), "noise")) << broken.what();
}

TEST(ProcessLinkTest, AWrongIdBreaksTheLinkAndNamesBoth) {
  const LinkBroken broken = break_of(R"(read line; echo '{"id":8,"ok":{}}')");

  EXPECT_EQ(broken.cause(), Cause::kGarbled);
  EXPECT_EQ(std::string(broken.what()),
            "answered out of protocol: the command had id 1, the reply has id 8: "
            R"({"id":8,"ok":{}})");
}

TEST(ProcessLinkTest, ACommandThatCouldNotBeReadIsAnsweredWithoutId) {
  const auto link = shell(R"(read line; echo '{"invalid":"what?"}'; cat)");

  EXPECT_EQ(link->exchange(numbered(1)).reason, "what?");
}

TEST(ProcessLinkTest, AReplyOutOfProtocolBreaksTheLink) {
  const LinkBroken broken = break_of(R"(read line; echo '{"id":1,"okay":{}}'; cat)");

  EXPECT_EQ(broken.cause(), Cause::kGarbled);
  EXPECT_TRUE(holds(broken.what(), "'okay'")) << broken.what();
}

TEST(ProcessLinkTest, DeathInTheMiddleOfALineSaysSo) {
  const LinkBroken broken = break_of(R"(read line; printf '{"id":1,"o'; exit 3)");

  EXPECT_EQ(broken.cause(), Cause::kDied);
  EXPECT_EQ(std::string(broken.what()),
            R"(the subject ended with status 3 in the middle of a line: {"id":1,"o)");
}

TEST(ProcessLinkTest, DeathByASignalNamesItAndKeepsTheLastWords) {
  const LinkBroken broken = break_of("read line; echo 'oh no' >&2; kill -SEGV $$");

  EXPECT_EQ(broken.cause(), Cause::kDied);
  EXPECT_EQ(std::string(broken.what()), "the subject died of SIGSEGV");
  EXPECT_EQ(broken.last_words(), "oh no\n");
}

TEST(ProcessLinkTest, SilenceEndsInATimeoutAndTheChildIsKilled) {
  const auto link = shell("echo $$ >&2; exec sleep 1000", {.argv = {}, .timeout = 1s});

  const LinkBroken broken = break_of(*link);

  EXPECT_EQ(broken.cause(), Cause::kTimedOut);
  EXPECT_EQ(std::string(broken.what()), "no reply to 'hello' within 10000 ms");
  EXPECT_EQ(::kill(std::stoi(broken.last_words()), 0), -1) << "the child is gone";
}

TEST(ProcessLinkTest, TheFirstReplyMayTakeTenTimesAsLongAsOthers) {
  const auto link = shell("sleep 2; read line; echo '{\"id\":1,\"ok\":{}}'; exec sleep 1000",
                          {.argv = {}, .timeout = 1s});

  EXPECT_TRUE(link->exchange(numbered(1)).succeeded());
  const LinkBroken broken = break_of(*link, numbered(1));

  EXPECT_EQ(broken.cause(), Cause::kTimedOut);
  EXPECT_TRUE(holds(broken.what(), "within 1000 ms")) << broken.what();
}

TEST(ProcessLinkTest, ATimeoutShowsWhatWasWrittenInsteadOfAReply) {
  const LinkBroken broken = break_of(
      *shell(R"(printf '{\n  "id": 1,\n  "ok"'; exec sleep 1000)", {.argv = {}, .timeout = 1s}));

  EXPECT_EQ(
      std::string(broken.what()),
      "no reply to 'hello' within 10000 ms; it wrote 2 lines that are not a reply, the first: "
      R"({; it is in the middle of a line:   "ok")");
}

TEST(ProcessLinkTest, AFloodOnStandardErrorDoesNotBlock) {
  const auto link = shell(
      "read line; head -c 3000000 /dev/zero | tr '\\0' x >&2; "
      R"(echo '{"id":1,"ok":{}}'; read line; echo the end >&2; exit 1)");

  EXPECT_TRUE(link->exchange(numbered(1)).succeeded());
  const LinkBroken broken = break_of(*link, numbered(2));

  EXPECT_EQ(broken.last_words().size(), 16u << 10);
  EXPECT_TRUE(broken.last_words().ends_with("xthe end\n"));
}

TEST(ProcessLinkTest, AClosedStandardOutputIsAnEnd) {
  const LinkBroken broken = break_of("read line; exec 1>&-; sleep 1000");

  EXPECT_EQ(broken.cause(), Cause::kDied);
  EXPECT_EQ(std::string(broken.what()), "the subject closed its standard output");
}

TEST(ProcessLinkTest, AnExitAtTheStartIsReportedByTheFirstCommand) {
  const auto link = shell("echo 'no such device' >&2; exit 77");
  std::this_thread::sleep_for(50ms);  // so that the command is written to nobody

  const LinkBroken broken = break_of(*link);

  EXPECT_EQ(std::string(broken.what()), "the subject ended with status 77");
  EXPECT_EQ(broken.last_words(), "no such device\n");
}

TEST(ProcessLinkTest, AProgramThatCannotStartIsNamedWithTheReason) {
  const auto reason = [](const std::string& program) -> std::string {
    return error_of<LinkBroken>([&] { connect_process({.argv = {program}}); }, "it started");
  };

  EXPECT_EQ(reason("/etc/passwd"), "cannot start '/etc/passwd': Permission denied");
  EXPECT_EQ(reason("/no/such"), "cannot start '/no/such': No such file or directory");
}

TEST(ProcessLinkTest, ALargeCommandToAChildThatWritesFirstDoesNotBlock) {
  const auto link = shell(
      "head -c 900000 /dev/zero | tr '\\0' x; echo; read -r line; "
      R"(printf '{"id":1,"ok":{"result":%d}}\n' ${#line}; cat)");
  const Command large = numbered(1, command("value", {{"value", std::string(400'000, 'a')}}));

  const Reply reply = link->exchange(large);

  EXPECT_EQ(*reply.ok.find("result")->get_if<std::int64_t>(),
            static_cast<std::int64_t>(to_json(large).size()));
}

TEST(ProcessLinkTest, AChildThatAnswersTooEarlyStillGetsTheWholeCommand) {
  const auto link = shell(R"(echo '{"id":1,"ok":{}}'; read -r line; read -r line; )"
                          R"(printf '{"id":2,"ok":{"result":%d}}\n' ${#line}; cat)");
  const Command large = numbered(1, command("value", {{"value", std::string(400'000, 'a')}}));

  EXPECT_TRUE(link->exchange(large).succeeded());

  EXPECT_EQ(to_json(link->exchange(numbered(2))), R"({"id":2,"ok":{"result":21}})");
}

TEST(ProcessLinkTest, ALineBeyondTheLimitBreaksTheLink) {
  const LinkBroken broken = break_of("read line; head -c 5000 /dev/zero | tr '\\0' x; cat",
                                     {.argv = {}, .timeout = 60s, .most_line_bytes = 1000});

  EXPECT_EQ(broken.cause(), Cause::kDied);
  EXPECT_EQ(std::string(broken.what()),
            "the subject was ended: it wrote a line of more than 1000 bytes");
}

TEST(ProcessLinkTest, ASecondReplyToOneCommandBreaksTheLink) {
  const LinkBroken broken =
      break_of(R"(read line; printf '{"id":1,"ok":{}}\n{"id":1,"ok":{}}\n'; cat)");

  EXPECT_EQ(broken.cause(), Cause::kGarbled);
  EXPECT_EQ(std::string(broken.what()),
            R"(answered out of protocol: more than one reply to a command: {"id":1,"ok":{}})");
}

TEST(ProcessLinkTest, WordsThatCouldSteerATerminalAreSpelledOut) {
  const LinkBroken broken = break_of(R"(read line; printf '{"id":1\033[2J\n'; cat)");

  EXPECT_TRUE(holds(broken.what(), R"(: {"id":1\x1b[2J)")) << broken.what();
}

TEST(ProcessLinkTest, NoExchangeWaitsBeyondTheEndItWasGiven) {
  const auto link = shell("cat > /dev/null");
  dynamic_cast<TimeLimit&>(*link).expect_by(std::chrono::steady_clock::now() + 50ms);

  const LinkBroken broken = break_of(*link);

  EXPECT_EQ(broken.cause(), Cause::kTimedOut);
  EXPECT_EQ(std::string(broken.what()), "no reply to 'hello' in time");
}

TEST(ProcessLinkTest, ABrokenLinkStaysBrokenUntilItIsRestarted) {
  const auto link = connect_process({.argv = {ASSAY_TOY_SERVER}});

  EXPECT_EQ(std::string(break_of(*link, numbered(1, command("toy.die"))).what()),
            "the subject died of SIGABRT");
  EXPECT_EQ(std::string(break_of(*link).what()), "the subject is not running: restart the link");
  link->restart();
  EXPECT_TRUE(link->exchange(numbered(1)).succeeded());
}

/// Why the link's subject did not exit normally; empty if it did.
std::string end_of(const std::string& script, std::chrono::milliseconds patience = 60s) {
  const auto link = shell(script);
  const auto end = close_subject(*link, patience);
  EXPECT_EQ(std::string(break_of(*link).what()), "the subject is not running: restart the link");
  return end.value_or("");
}

TEST(ProcessLinkTest, ASubjectMayTakeItsTimeToEnd) { EXPECT_EQ(end_of("cat; sleep 3"), ""); }

TEST(ProcessLinkTest, AMissingOrBadEndIsReported) {
  EXPECT_EQ(end_of("cat; exit 3"),
            "the subject ended with status 3 when its input was closed, after the last case");
  EXPECT_EQ(end_of("cat; kill -SEGV $$"),
            "the subject died of SIGSEGV when its input was closed, after the last case");
  EXPECT_EQ(end_of("sleep 100", 50ms),
            "the subject did not end within 50 ms when its input was closed");
}

}  // namespace
}  // namespace assay
