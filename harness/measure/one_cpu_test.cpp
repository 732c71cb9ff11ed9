// Which CPUs a thread and its children may use.
#include "harness/measure/one_cpu.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace assay::measure {
namespace {

std::set<std::size_t> allowed() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  std::set<std::size_t> numbers;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &cpus)) numbers.insert(cpu);
  }
  return numbers;
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

}  // namespace
}  // namespace assay::measure
