// Tests of runs that end as soon as they are decided.
#include <gtest/gtest.h>

#include "harness/bench/fake_worker.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {
namespace {

/// The number of processes at each look.
std::vector<std::size_t> looked_at(FakeMachine& machine, std::size_t decided_after,
                                   std::optional<std::int64_t>& enough) {
  std::vector<std::size_t> seen;
  Plan plan = fake_plan(machine, 9);
  plan.looks = {2, 4, 8, 9};
  plan.is_decided = [&](const Measured& measured) {
    seen.push_back(measured.measurements.at(0).processes.size());
    EXPECT_EQ(measured.measurements.at(0).status, report::BenchStatus::kMeasured);
    return seen.back() >= decided_after;
  };
  const Measured measured = run(plan);
  enough = measured.enough;
  EXPECT_FALSE(measured.interrupted);
  EXPECT_FALSE(measured.done.has_value());
  EXPECT_EQ(measured.measurements.at(0).processes.size(), enough.value_or(9));
  return seen;
}

TEST(BenchLooks, EndTheRunWhereItIsDecided) {
  FakeMachine machine;
  std::optional<std::int64_t> enough;

  EXPECT_EQ(looked_at(machine, 4, enough), (std::vector<std::size_t>{2, 4}));
  EXPECT_EQ(enough, 4);
}

TEST(BenchLooks, AreNotNeededAtTheEnd) {
  FakeMachine machine;
  std::optional<std::int64_t> enough;

  EXPECT_EQ(looked_at(machine, 9, enough), (std::vector<std::size_t>{2, 4, 8}));
  EXPECT_EQ(enough, std::nullopt);
}

}  // namespace
}  // namespace assay::bench
