// Tests of runs that end as soon as they are decided, and of workers that take turns.
#include <gtest/gtest.h>

#include <cmath>

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

using report::BenchMeasurement;
using report::BenchStatus;

constexpr int kSamples = 4;
constexpr int kTurns = 5 * kSamples;

Plan turns_plan(FakeMachine& machine, int processes) {
  machine.takes_iterations = true;
  Plan plan = fake_plan(machine, processes);
  plan.cases = select_cases({"dispatch/typed/tensors=2"}, {});
  plan.timing.samples = kSamples;
  return plan;
}

TEST(BenchTurns, SubjectsAlternateSampleBySample) {
  FakeMachine machine;
  for (const char* key : {"a typed_2", "b typed_2"}) {
    machine.replies[key] = [key](int time) {
      const double speed = time % kTurns < 2 ? 1 : 3;
      return fake_samples({(key[0] == 'a' ? 100 : 110) * speed});
    };
  }

  const Measured measured = run(turns_plan(machine, 2));

  ASSERT_EQ(machine.log.size(), 2U * (2 + 2 * kTurns));
  for (std::size_t i = 0; i < machine.log.size(); i += 2) {
    EXPECT_NE(machine.log[i], machine.log[i + 1]) << i;
  }
  EXPECT_EQ(machine.log[3], machine.log[4]) << "the second turn goes back";
  const BenchMeasurement& a = measured.measurements.at(0);
  const BenchMeasurement& b = measured.measurements.at(1);
  for (std::size_t round = 0; round < 2; ++round) {
    EXPECT_EQ(a.processes.at(round).samples.size(), static_cast<std::size_t>(kSamples));
    EXPECT_NEAR(*b.processes.at(round).relative / *a.processes.at(round).relative, 1.1, 1e-12);
    EXPECT_EQ(a.processes[round].index, static_cast<std::int64_t>(round));
  }
}

TEST(BenchTurns, WorkersOfAnOlderBuildTakeNone) {
  FakeMachine machine;
  Plan plan = turns_plan(machine, 1);
  machine.takes_iterations = false;
  const Measured measured = run(plan);
  EXPECT_EQ(machine.log.size(), 4U);
  EXPECT_EQ(measured.measurements[0].processes.at(0).relative, std::nullopt);
}

TEST(BenchTurns, ADeathInALaterTurnCostsItsCaseAlone) {
  FakeMachine machine;
  machine.replies["a typed_2"] = [](int time) -> Reply {
    if (time == 2) throw LinkBroken(LinkBroken::Cause::kDied, "the subject died of SIGSEGV");
    return fake_samples({5});
  };
  const Measured measured = run(turns_plan(machine, 2));
  EXPECT_EQ(measured.measurements.at(0).status, BenchStatus::kFailed);
  EXPECT_EQ(machine.asked["a typed_2"], 3);
  const BenchMeasurement& other = measured.measurements.at(1);
  EXPECT_EQ(other.status, BenchStatus::kMeasured);
  EXPECT_EQ(other.processes.size(), 2U);
  EXPECT_EQ(other.processes.at(0).relative, std::nullopt);
}

TEST(BenchTurns, WhatHasNoTimeIsAskedForOnceAndTheOtherIsTimedAlone) {
  FakeMachine machine;
  machine.replies["a typed_2"] = [](int) { return Reply::make_ok({{"no_time", "simulated"}}); };
  const Measured measured = run(turns_plan(machine, 2));
  EXPECT_EQ(measured.measurements.at(0).status, BenchStatus::kSimulated);
  EXPECT_EQ(machine.asked["a typed_2"], 1);
  EXPECT_EQ(measured.measurements.at(1).processes.size(), 2U);
}

TEST(BenchTurns, AStopEndsThemAtOnce) {
  FakeMachine machine;
  StopSignal stop;
  Plan plan = turns_plan(machine, 3);
  plan.stop = &stop;
  machine.replies["a typed_2"] = [&](int time) {
    if (time == kTurns + 1) stop.set();
    return fake_samples({5});
  };
  const Measured measured = run(plan);
  EXPECT_TRUE(measured.interrupted);
  EXPECT_EQ(measured.measurements.at(0).processes.size(), 1U);
}

}  // namespace
}  // namespace assay::bench
