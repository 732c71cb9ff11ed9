// Which CPUs a thread and its children may use.
#include "harness/subject/process/one_cpu.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "harness/subject/link/link_to_shell.hpp"
#include "harness/subject/process/other_process.hpp"

namespace assay {
namespace {

std::set<std::size_t> cpus_of(pid_t process) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(process, sizeof cpus, &cpus), 0);
  std::set<std::size_t> numbers;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &cpus)) numbers.insert(cpu);
  }
  return numbers;
}

std::set<std::size_t> allowed() { return cpus_of(0); }

/// The CPUs of a child that this thread starts now.
std::set<std::size_t> cpus_of_a_child() {
  const std::unique_ptr<Link> link = shell("read line; sleep 60");
  return cpus_of(dynamic_cast<const OtherProcess&>(*link).process());
}

TEST(OneCpu, EachTurnHasTheNextOfThoseThatWereAllowed) {
  const std::set<std::size_t> before = allowed();
  std::vector<std::size_t> turns;
  for (int turn = 0; turn < 2 * static_cast<int>(before.size()); ++turn) {
    const OnOneCpu one(turn);
    const std::set<std::size_t> now = allowed();
    ASSERT_EQ(now.size(), 1U);
    turns.push_back(*now.begin());
  }
  EXPECT_EQ(std::set<std::size_t>(turns.begin(), turns.end()), before);
  EXPECT_EQ(turns.front(), turns[before.size()]);
  EXPECT_EQ(allowed(), before);
}

TEST(OneCpu, WithoutATurnNothingChanges) {
  const std::set<std::size_t> before = allowed();
  const OnOneCpu none(std::nullopt);
  EXPECT_EQ(allowed(), before);
}

TEST(OneCpu, AChildRunsWhereTheThreadThatStartsItDoes) {
  const std::set<std::size_t> before = allowed();
  EXPECT_EQ(cpus_of_a_child(), before);
  for (int turn = 0; turn < 2; ++turn) {
    const OnOneCpu one(turn);
    EXPECT_EQ(cpus_of_a_child(), allowed());
  }
  EXPECT_EQ(cpus_of_a_child(), before);
}

TEST(ReservedCpu, NoTwoAreTheSameAndBehindTheLastNothingChanges) {
  const std::set<std::size_t> before = allowed();
  std::vector<std::unique_ptr<OnReservedCpu>> held;
  std::set<std::size_t> reserved;
  // Nested guards choose from one CPU each, so each starts in a thread with all of them.
  for (std::size_t i = 0; i <= before.size(); ++i) {
    std::thread([&] {
      held.push_back(std::make_unique<OnReservedCpu>());
      const std::set<std::size_t> now = allowed();
      if (now == before) return;
      EXPECT_EQ(now.size(), 1U);
      EXPECT_TRUE(reserved.insert(*now.begin()).second);
    }).join();
  }
  std::thread([&] {
    const OnReservedCpu none;
    EXPECT_EQ(allowed(), before) << "all are reserved";
  }).join();
  held.clear();
  EXPECT_EQ(allowed(), before);
}

}  // namespace
}  // namespace assay
