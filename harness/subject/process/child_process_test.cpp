// Tests that nothing remains when a subject's process, or this one, ends.
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "harness/subject/link/link_to_shell.hpp"
#include "harness/subject/process/other_process.hpp"
#include "harness/subject/process/time_limit.hpp"

namespace assay {
namespace {

using Cause = LinkBroken::Cause;
using namespace std::chrono_literals;

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

/// A process that has ended or is a zombie.
bool is_over(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string id, name, state;
  return !(file >> id >> name >> state) || state == "Z" || state == "X";
}

bool is_over_soon(pid_t pid) {
  for (int i = 0; i < 6000 && !is_over(pid); ++i) std::this_thread::sleep_for(10ms);
  return is_over(pid);
}

TEST(ProcessLinkTest, DeathIsSeenThoughAGrandchildHoldsThePipes) {
  const LinkBroken broken = break_of("read line; sleep 60 & kill -SEGV $$");

  EXPECT_EQ(broken.cause(), Cause::kDied);
  EXPECT_EQ(std::string(broken.what()), "the subject died of SIGSEGV");
}

TEST(ProcessLinkTest, WhatTheSubjectHasStartedEndsWithIt) {
  const LinkBroken broken = break_of("sleep 60 & echo $! >&2; read line; exit 3");

  const auto grandchild = static_cast<pid_t>(std::stol(broken.last_words()));
  EXPECT_EQ(::kill(grandchild, 0), -1) << "it is reaped, too";
}

TEST(ProcessLinkTest, WhatLeavesTheSessionOfTheSubjectEndsWithItToo) {
  const LinkBroken broken = break_of(
      "started=$(mktemp); setsid sh -c \"echo \\$\\$ >&2; rm $started; exec sleep 60\" & "
      "while [ -e $started ]; do sleep 0.01; done; read line; exit 3");

  const auto runaway = static_cast<pid_t>(std::stol(broken.last_words()));
  EXPECT_EQ(::kill(runaway, 0), -1) << "process " << runaway << " is left";
}

TEST(ProcessLinkTest, WhoseParentIsGoneEndsWithTheSubjectToo) {
  const LinkBroken broken = break_of("(setsid sleep 60 & echo $! >&2) ; read line; kill -SEGV $$");

  const auto orphan = static_cast<pid_t>(std::stol(broken.last_words()));
  EXPECT_EQ(::kill(orphan, 0), -1) << "process " << orphan << " is left";
}

TEST(ProcessLinkTest, ASubjectThatKillsItsSupervisorDies) {
  const LinkBroken broken = break_of("echo $$ >&2; read line; kill -KILL $PPID; exec sleep 60");

  EXPECT_EQ(broken.cause(), Cause::kDied);
  EXPECT_EQ(std::string(broken.what()), "the subject killed its supervisor, and died of SIGKILL");
  EXPECT_EQ(::kill(static_cast<pid_t>(std::stol(broken.last_words())), 0), -1);
}

TEST(ProcessLinkTest, ALinkKnowsTheProcessOfItsSubject) {
  const auto link = shell("read line; echo \"{\\\"id\\\":1,\\\"ok\\\":{\\\"result\\\":$$}}\"; cat");

  const Reply reply = link->exchange(numbered(1));

  EXPECT_EQ(*reply.ok.find("result")->get_if<std::int64_t>(),
            dynamic_cast<OtherProcess&>(*link).process());
}

TEST(ProcessLinkTest, AnInterruptionEndsTheWaitAndTheSubject) {
  StopSignal stop;
  const auto link = shell("cat > /dev/null");
  end_early_on(*link, &stop);
  const pid_t subject = dynamic_cast<OtherProcess&>(*link).process();
  std::thread interrupter([&] {
    std::this_thread::sleep_for(50ms);
    stop.set();
  });

  EXPECT_THROW(link->exchange(numbered(1)), Interrupted);

  interrupter.join();
  EXPECT_TRUE(is_over_soon(subject));
  EXPECT_EQ(dynamic_cast<OtherProcess&>(*link).process(), -1);
}

TEST(ProcessLinkTest, ASubjectThatIsEndedBeforeTheHarnessIsToldToStopHasNotCrashed) {
  StopSignal stop;
  const auto link = shell("read line; kill -TERM $$");
  end_early_on(*link, &stop);
  std::thread interrupter([&, subject = dynamic_cast<OtherProcess&>(*link).process()] {
    EXPECT_TRUE(is_over_soon(subject));
    stop.set();
  });

  EXPECT_THROW(link->exchange(numbered(1)), Interrupted);

  interrupter.join();
}

TEST(ProcessLinkTest, DescriptorsAreGivenBack) {
  connect_process({.argv = {ASSAY_TOY_SERVER}});
  const std::size_t before = open_descriptors();

  for (int i = 0; i < 5; ++i) {
    const auto link = connect_process({.argv = {ASSAY_TOY_SERVER}});
    link->exchange(numbered(1));
    link->restart();
    break_of(*link, numbered(2, command("toy.die")));
  }

  EXPECT_EQ(open_descriptors(), before);
}

TEST(ProcessLinkTest, AChildInheritsNoDescriptorOfAnotherLink) {
  const auto descriptors_of_a_child = [] {
    const auto link = shell(R"(read line; set -- /proc/$$/fd/*; )"
                            R"(echo "{\"id\":1,\"ok\":{\"result\":$#}}"; cat)");
    return to_json(link->exchange(numbered(1)));
  };
  const std::string alone = descriptors_of_a_child();

  const auto other = connect_process({.argv = {ASSAY_TOY_SERVER}});

  EXPECT_EQ(descriptors_of_a_child(), alone);
}

TEST(ProcessLinkTest, AChildOutlivesTheThreadThatStartedIt) {
  std::unique_ptr<Link> link;
  std::thread([&] { link = connect_process({.argv = {ASSAY_TOY_SERVER}}); }).join();

  EXPECT_TRUE(link->exchange(numbered(1)).succeeded());
}

TEST(ProcessLinkTest, AChildDoesNotOutliveItsParent) {
  int words[2];
  ASSERT_EQ(::pipe(words), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    const auto link =
        shell("echo \"{\\\"id\\\":1,\\\"ok\\\":{\\\"result\\\":$$}}\"; exec sleep 1000");
    const std::int64_t child =
        *link->exchange(numbered(1)).ok.find("result")->get_if<std::int64_t>();
    [[maybe_unused]] const auto written = ::write(words[1], &child, sizeof child);
    ::kill(::getpid(), SIGKILL);
  }
  std::int64_t child = 0;
  ASSERT_EQ(::read(words[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  ::waitpid(parent, nullptr, 0);
  ::close(words[0]);
  ::close(words[1]);

  EXPECT_TRUE(is_over_soon(static_cast<pid_t>(child))) << "process " << child << " still runs";
}

}  // namespace
}  // namespace assay
