// Tests of the orchestrator with scripted workers: order, deaths, invalid replies, interrupts.
#include "harness/bench/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/bench/fake_worker.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

const BenchMeasurement& cell(const Measured& measured, std::int64_t tensors,
                             const std::string& subject) {
  const report::BenchAxes axes{{"tensors", tensors}};
  const auto found = std::ranges::find_if(measured.measurements, [&](const BenchMeasurement& one) {
    return one.axes == axes && one.subject == subject;
  });
  if (found == measured.measurements.end()) throw std::logic_error("no such cell");
  return *found;
}

[[noreturn]] Reply die() {
  throw LinkBroken(LinkBroken::Cause::kDied, "the subject died of SIGSEGV", "out of luck\n");
}

std::size_t count(const FakeMachine& machine, const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count(machine.log, line));
}

TEST(BenchSession, EveryRoundStartsFreshWorkersAndTimesEveryCaseOnceInEach) {
  FakeMachine machine;

  const Measured measured = run(fake_plan(machine, 3));

  EXPECT_EQ(machine.log.size(), 3U * (2 + 2 * 3));
  for (std::size_t round = 0; round < 3; ++round) {
    const auto begin = machine.log.begin() + static_cast<std::ptrdiff_t>(round * 8);
    EXPECT_EQ(std::set<std::string>(begin, begin + 2),
              (std::set<std::string>{"start a", "start b"}));
    EXPECT_EQ(std::set<std::string>(begin + 2, begin + 8).size(), 6U);
  }
  EXPECT_EQ(measured.measurements.size(), 6U);
  EXPECT_EQ(measured.floors.size(), 6U);
  std::set<std::int64_t> orders;
  for (const BenchMeasurement& one : measured.measurements) {
    EXPECT_EQ(one.status, BenchStatus::kMeasured);
    EXPECT_TRUE(one.checked);
    ASSERT_EQ(one.processes.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(one.processes[i].index, static_cast<std::int64_t>(i));
      EXPECT_EQ(one.processes[i].median, 11);
      EXPECT_EQ(one.processes[i].null_call_ns, 2.0);
      orders.insert(one.processes[i].order);
    }
  }
  EXPECT_EQ(orders, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(BenchSession, SubjectsTakeTurnsOnEachCase) {
  FakeMachine machine;

  run(fake_plan(machine, 2));

  for (std::size_t i = 0; i < machine.log.size(); i += 2) {
    const std::string& one = machine.log[i];
    const std::string& next = machine.log[i + 1];
    EXPECT_NE(one, next);
    if (one.starts_with("start")) continue;
    EXPECT_EQ(one.substr(1), next.substr(1));
  }
}

TEST(BenchSession, TheSeedDecidesTheOrder) {
  const auto log_of = [](std::uint64_t seed) {
    FakeMachine machine;
    Plan plan = fake_plan(machine, 4);
    plan.seed = seed;
    run(plan);
    return machine.log;
  };

  EXPECT_EQ(log_of(1), log_of(1));
  EXPECT_NE(log_of(1), log_of(2));
}

TEST(BenchSession, WhatASubjectDoesNotHaveIsAskedForOnce) {
  FakeMachine machine;
  machine.replies["a typed_2"] = [](int) { return Reply::make_unsupported("not here"); };

  const Measured measured = run(fake_plan(machine, 3));

  EXPECT_EQ(cell(measured, 2, "a").status, BenchStatus::kUnsupported);
  EXPECT_EQ(cell(measured, 2, "a").reason, "not here");
  EXPECT_EQ(count(machine, "a typed_2"), 1U);
  EXPECT_EQ(cell(measured, 2, "b").status, BenchStatus::kMeasured);
}

TEST(BenchSession, WhatRanOnASimulatedDeviceIsCheckedAndHasNoTime) {
  FakeMachine machine;
  machine.replies["a typed_2"] = [](int) { return Reply::make_ok({{"no_time", "simulated"}}); };
  machine.replies["b typed_4"] = [](int time) {
    return time == 0 ? fake_samples({5}) : Reply::make_ok({{"no_time", "simulated"}});
  };

  const Measured measured = run(fake_plan(machine, 3));

  const BenchMeasurement& simulated = cell(measured, 2, "a");
  EXPECT_EQ(simulated.status, BenchStatus::kSimulated);
  EXPECT_EQ(simulated.reason, "simulated");
  EXPECT_TRUE(simulated.checked);
  EXPECT_TRUE(simulated.processes.empty());
  EXPECT_EQ(count(machine, "a typed_2"), 1U);
  EXPECT_EQ(cell(measured, 4, "b").status, BenchStatus::kFailed);
}

TEST(BenchSession, ADeadWorkerCostsItsCaseAndIsReplaced) {
  FakeMachine machine;
  machine.replies["a typed_2"] = [](int time) { return time == 1 ? die() : fake_samples({5}); };

  const Measured measured = run(fake_plan(machine, 3));

  const BenchMeasurement& lost = cell(measured, 2, "a");
  EXPECT_EQ(lost.status, BenchStatus::kFailed);
  EXPECT_EQ(lost.reason, "the subject died of SIGSEGV: out of luck");
  EXPECT_FALSE(lost.checked);
  EXPECT_EQ(count(machine, "a typed_2"), 2U);
  EXPECT_EQ(count(machine, "start a"), 4U);
  for (const std::int64_t tensors : {1, 4}) {
    EXPECT_EQ(cell(measured, tensors, "a").processes.size(), 3U);
    EXPECT_EQ(cell(measured, tensors, "a").status, BenchStatus::kMeasured);
  }
}

TEST(BenchSession, ALongReasonIsCutInTheRecord) {
  FakeMachine machine;
  const std::string text(1 << 20, '<');
  machine.replies["a typed_2"] = [&](int) { return Reply::make_unsupported(text); };
  machine.replies["b typed_2"] = [&](int) { return Reply::make_error(ErrorKind::kError, text); };

  const Measured measured = run(fake_plan(machine, 3));

  for (const char* subject : {"a", "b"}) {
    const std::string reason = cell(measured, 2, subject).reason.value();
    EXPECT_TRUE(reason.ends_with("(cut; 1048576 bytes in all)")) << reason.size();
    EXPECT_LT(reason.size(), 2000U);
  }
}

TEST(BenchSession, AWrongChecksumInOneProcessIsNoTimeAtAll) {
  FakeMachine machine;
  machine.replies["b typed_1"] = [](int time) {
    return time == 2 ? Reply::make_error(ErrorKind::kError, "the checksum is 7, not 8")
                     : fake_samples({5});
  };

  const Measured measured = run(fake_plan(machine, 4));

  EXPECT_EQ(cell(measured, 1, "b").status, BenchStatus::kFailed);
  EXPECT_EQ(cell(measured, 1, "b").reason, "the checksum is 7, not 8");
  EXPECT_EQ(count(machine, "b typed_1"), 3U);
  EXPECT_EQ(count(machine, "start b"), 4U);
}

TEST(BenchSession, RepliesThatAreNoTimesAreFailures) {
  const std::vector<Reply> replies{
      fake_samples({}),
      fake_samples({-1}),
      fake_samples({1.0 / 0.0}),
      Reply::make_ok({{"samples", List{{1.0}}}, {"iterations", 0}, {"via", "c++"}}),
      Reply::make_ok({{"samples", List{{1.0}}}, {"iterations", 1}, {"via", "rust"}}),
      Reply::make_ok({{"samples", List{{1}}}, {"iterations", 1}, {"via", "c++"}}),
      Reply::make_ok()};
  for (const Reply& reply : replies) {
    FakeMachine machine;
    machine.replies["a typed_1"] = [&](int) { return reply; };

    const Measured measured = run(fake_plan(machine, 2));

    EXPECT_EQ(cell(measured, 1, "a").status, BenchStatus::kFailed);
    EXPECT_TRUE(cell(measured, 1, "a").processes.empty());
  }
}

TEST(BenchSession, ASubjectThatOneProcessHasAndAnotherNotIsAFailure) {
  FakeMachine machine;
  machine.replies["a typed_4"] = [](int time) {
    return time == 0 ? fake_samples({5}) : Reply::make_unsupported("gone");
  };

  const Measured measured = run(fake_plan(machine, 2));

  EXPECT_EQ(cell(measured, 4, "a").status, BenchStatus::kFailed);
  EXPECT_EQ(cell(measured, 4, "a").reason, "one process supports it, another does not: gone");
}

TEST(BenchSession, AWorkerThatCannotBeStartedCostsItsSubjectOnly) {
  FakeMachine machine;
  machine.cannot_start = "a";

  const Measured measured = run(fake_plan(machine, 3));

  for (const std::int64_t tensors : {1, 2, 4}) {
    EXPECT_EQ(cell(measured, tensors, "a").reason,
              "its worker could not be started: the subject ended with status 2: no such thing");
    EXPECT_EQ(cell(measured, tensors, "b").processes.size(), 3U);
  }
  EXPECT_EQ(count(machine, "start a"), 1U);
}

TEST(BenchSession, AnInterruptKeepsWhatIsDone) {
  FakeMachine machine;
  StopSignal stop;
  Plan plan = fake_plan(machine, 10);
  plan.stop = &stop;
  machine.replies["a typed_2"] = [&](int time) {
    if (time == 1) stop.set();
    return fake_samples({5});
  };

  const Measured measured = run(plan);

  EXPECT_TRUE(measured.interrupted);
  EXPECT_EQ(cell(measured, 2, "a").processes.size(), 2U);
  EXPECT_EQ(cell(measured, 2, "a").status, BenchStatus::kMeasured);
  EXPECT_EQ(machine.log.back(), "a typed_2");
}

TEST(BenchSession, WhatAnInterruptLeftOutSaysSo) {
  FakeMachine machine;
  StopSignal stop;
  stop.set();
  Plan plan = fake_plan(machine, 10);
  plan.stop = &stop;

  const Measured measured = run(plan);

  EXPECT_TRUE(machine.log.empty());
  for (const BenchMeasurement& one : measured.measurements) {
    EXPECT_EQ(one.status, BenchStatus::kNotRun);
    EXPECT_EQ(one.reason, "the run ended before it was measured");
  }
}

TEST(BenchSession, SubjectsAreIntroducedAndOtherBuildsSayWhichTheyAre) {
  FakeMachine machine;
  Plan plan = fake_plan(machine, 1);
  plan.contenders[1].other_build = true;

  const Measured measured = run(plan);

  EXPECT_EQ(measured.subjects[0].name, "fake");
  EXPECT_EQ(measured.subjects[0].version, "7");
  EXPECT_EQ(measured.subjects[0].via, "c++");
  EXPECT_EQ(measured.subjects[0].contract, "2.11/cuda/strict");
  EXPECT_FALSE(measured.subjects[0].build.has_value());
  EXPECT_EQ(measured.subjects[1].build.value().tool, "0.0.9");
}

TEST(BenchSession, NoMoreProcessesAreStartedThanItTakesForThePrecision) {
  FakeMachine steady;
  Plan plan = fake_plan(steady, 20);
  plan.precision = 0.01;
  FakeMachine noisy;
  noisy.replies["b typed_4"] = [](int time) {
    return fake_samples({time < 12 ? 5.0 + time : 5.0});
  };
  Plan longer = fake_plan(noisy, 40);
  longer.precision = 0.01;
  FakeMachine never;
  never.replies["b typed_4"] = [](int time) { return fake_samples({5.0 + time}); };
  Plan longest = fake_plan(never, 20);
  longest.precision = 0.01;

  const Measured soon = run(plan);
  const Measured later = run(longer);
  const Measured at_last = run(longest);

  EXPECT_EQ(soon.enough, 7);
  EXPECT_EQ(cell(soon, 4, "a").processes.size(), 7U);
  EXPECT_FALSE(soon.done.has_value());
  EXPECT_GT(later.enough.value(), 20);
  EXPECT_LT(later.enough.value(), 40);
  EXPECT_FALSE(at_last.enough.has_value());
  EXPECT_EQ(cell(at_last, 1, "a").processes.size(), 20U);
}

TEST(BenchSession, StepsAreToldOneByOneUpToThePlan) {
  FakeMachine machine;
  machine.replies["b typed_1"] = [](int) { return Reply::make_unsupported("not here"); };
  Plan plan = fake_plan(machine, 2);
  std::vector<Step> steps;
  plan.on_step = [&](const Step& step) { steps.push_back(step); };

  run(plan);

  ASSERT_EQ(steps.size(), 11U);
  EXPECT_EQ(steps.front().planned, 12U);
  EXPECT_FALSE(steps.front().left.has_value());
  EXPECT_EQ(steps.back().done, 10U);
  EXPECT_TRUE(steps.back().left.has_value());
}

// GPU clocks reported by workers.

Reply with_clocks(List clocks) {
  Reply reply = fake_samples({5, 6, 7});
  reply.ok.set("sm_clocks_mhz", std::move(clocks));
  reply.ok.set("throttled_by", "heat");
  return reply;
}

TEST(BenchSession, KeepsTheClocksBehindTheSamples) {
  FakeMachine machine;
  machine.replies["a typed_1"] = [](int) { return with_clocks({{1980, 345, 1965}}); };

  const Measured measured = run(fake_plan(machine, 2));

  const report::BenchProcess& process = measured.measurements.at(0).processes.at(1);
  EXPECT_EQ(process.sm_clock_mhz, 1965);
  EXPECT_EQ(process.sm_clocks_mhz, (std::vector<std::int64_t>{1980, 345, 1965}));
  EXPECT_EQ(process.throttled_by, "heat");
  EXPECT_EQ(measured.measurements.at(1).processes.at(1).sm_clocks_mhz, std::nullopt);
}

TEST(BenchSession, RefusesClocksThatAreNotOneBehindEachSample) {
  FakeMachine machine;
  machine.replies["a typed_1"] = [](int) { return with_clocks({{1980, 345}}); };
  machine.replies["b typed_1"] = [](int) { return with_clocks({{1980, -1, 1980}}); };

  const Measured measured = run(fake_plan(machine, 2));

  EXPECT_EQ(measured.measurements.at(0).reason,
            "the worker's 'sm_clocks_mhz' does not hold one clock for each sample");
  EXPECT_EQ(measured.measurements.at(1).reason,
            "the worker's 'sm_clocks_mhz' holds a value that is not a clock");
}

}  // namespace
}  // namespace assay::bench
