// Tests of resumed benches, and of records that belong to another bench.
#include "harness/bench/resume.hpp"

#include <gtest/gtest.h>

#include "harness/bench/fake_worker.hpp"
#include "harness/bench/summary.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchRecord;
using report::BenchStatus;

constexpr int kRounds = 4;
/// `start` of both contenders and three cases of each.
constexpr std::ptrdiff_t kLinesOfARound = 8;

BenchRecord head_of(const Plan& plan) {
  BenchRecord head;
  head.meta.seed = plan.seed;
  head.meta.processes = plan.processes;
  head.meta.samples = plan.timing.samples;
  head.meta.min_time_ns = static_cast<double>(plan.timing.min_time.count());
  return head;
}

BenchRecord record_of(const Plan& plan, const Measured& measured) {
  BenchRecord record = head_of(plan);
  record.subjects = measured.subjects;
  record.measurements = measured.measurements;
  record.calibration = calibration_of(measured.floors);
  record.done = measured.done;
  return record;
}

/// A run that ended in its third round with this reply.
BenchRecord interrupted(FakeMachine& machine, const std::string& key, const Reply& reply) {
  StopSignal stop;
  Plan plan = fake_plan(machine, kRounds);
  plan.stop = &stop;
  machine.replies[key] = [&](int time) {
    if (time != 2) return fake_samples({5});
    stop.set();
    return reply;
  };
  const Measured measured = run(plan);
  machine.replies.erase(key);
  return record_of(plan, measured);
}

std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> processes_of(const Measured& from) {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> all;
  for (const BenchMeasurement& row : from.measurements) {
    all.emplace_back();
    for (const report::BenchProcess& process : row.processes)
      all.back().emplace_back(process.index, process.order);
  }
  return all;
}

std::string refusal_of(const BenchRecord& left, const BenchRecord& head, const Plan& plan) {
  try {
    resumed(left, head, plan);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "taken";
}

TEST(BenchResume, ARoundThatIsNotCompleteIsDoneAgainAndTheOthersFollow) {
  FakeMachine undisturbed;
  const Measured whole = run(fake_plan(undisturbed, kRounds));
  FakeMachine machine;
  const BenchRecord left = interrupted(machine, "a typed_2", fake_samples({5}));
  const Plan plan = fake_plan(machine, kRounds);

  const Measured measured = run(plan, resumed(left, head_of(plan), plan));

  EXPECT_EQ(left.done.value().rounds, 2);
  EXPECT_EQ(processes_of(measured), processes_of(whole));
  EXPECT_EQ(measured.floors.size(), whole.floors.size());
  EXPECT_FALSE(measured.done.has_value());
  for (std::size_t i = 0; i < whole.measurements.size(); ++i) {
    EXPECT_EQ(measured.measurements[i].status, BenchStatus::kMeasured);
    EXPECT_EQ(measured.measurements[i].processes[1].samples,
              left.measurements[i].processes[1].samples);
  }
  const auto last = [](const FakeMachine& of) {
    return std::vector<std::string>(of.log.end() - 2 * kLinesOfARound, of.log.end());
  };
  EXPECT_EQ(last(machine), last(undisturbed));
}

TEST(BenchResume, WhatFailedInTheLostRoundIsTriedAgainAndWhatFailedBeforeIsNot) {
  FakeMachine machine;
  const Reply wrong = Reply::make_error(ErrorKind::kError, "the checksum is 7, not 8");
  machine.replies["b typed_1"] = [&](int) { return wrong; };
  const BenchRecord left = interrupted(machine, "a typed_2", wrong);
  const Plan plan = fake_plan(machine, kRounds);

  const Measured measured = run(plan, resumed(left, head_of(plan), plan));

  EXPECT_EQ(left.done.value().rounds, 2);
  EXPECT_EQ(left.measurements[2].status, BenchStatus::kFailed);
  for (const BenchMeasurement& row : measured.measurements) {
    const bool is_lost = report::full_name(row.subject, row.axes) == "b/tensors=1";
    EXPECT_EQ(row.status, is_lost ? BenchStatus::kFailed : BenchStatus::kMeasured);
    EXPECT_EQ(row.processes.size(), is_lost ? 0U : 4U);
  }
  EXPECT_EQ(machine.asked["b typed_1"], 1);
}

TEST(BenchResume, OfAFirstRoundNothingIsKept) {
  FakeMachine machine;
  const Plan plan = fake_plan(machine, kRounds);
  Measured measured = run(plan);
  measured.done.emplace();

  const Measured begins = resumed(record_of(plan, measured), head_of(plan), plan);

  EXPECT_TRUE(begins.floors.empty());
  for (const BenchMeasurement& row : begins.measurements) {
    EXPECT_EQ(row.status, BenchStatus::kNotRun);
    EXPECT_TRUE(row.processes.empty());
  }
}

TEST(BenchResume, OnlyWhatIsLeftIsPlanned) {
  FakeMachine machine;
  const BenchRecord left = interrupted(machine, "a typed_2", fake_samples({5}));
  Plan plan = fake_plan(machine, kRounds);
  std::vector<Step> steps;
  plan.on_step = [&](const Step& step) { steps.push_back(step); };

  run(plan, resumed(left, head_of(plan), plan));

  EXPECT_EQ(steps.size(), 12U);
  EXPECT_EQ(steps.front().planned, 12U);
}

TEST(BenchResume, AnotherBenchIsRefusedInWords) {
  FakeMachine machine;
  const BenchRecord left = interrupted(machine, "a typed_2", fake_samples({5}));
  const Plan plan = fake_plan(machine, kRounds);
  const auto refused = [&](const auto& change) {
    BenchRecord head = head_of(plan);
    change(head);
    return refusal_of(left, head, plan);
  };

  EXPECT_EQ(refused([](BenchRecord& head) { head.meta.device_clock = "activity"; }),
            "--resume: the device's clock is events in the record, and activity now");
  EXPECT_EQ(refused([](BenchRecord&) {}), "taken");
  EXPECT_EQ(refused([](BenchRecord& head) { head.meta.seed = 2; }),
            "--resume: the seed is 1 in the record, and 2 now");
  EXPECT_EQ(refused([](BenchRecord& head) { head.meta.processes = 5; }),
            "--resume: the number of processes is 4 in the record, and 5 now");
  EXPECT_EQ(refused([](BenchRecord& head) { head.meta.samples = 5; }),
            "--resume: the number of samples is 20 in the record, and 5 now");
  EXPECT_EQ(refused([](BenchRecord& head) { head.meta.min_time_ns = 5; }),
            "--resume: the shortest sample in nanoseconds is 2500000 in the record, and 5 now");
  EXPECT_EQ(refused([](BenchRecord& head) { head.meta.quick = true; }),
            "--resume: the run is not quick in the record, and quick now");
  EXPECT_NE(refused([](BenchRecord& head) { head.meta.build.revision = "abc"; }).find("build"),
            std::string::npos);
  EXPECT_NE(refused([](BenchRecord& head) { head.environment.cpu = "Z80"; }).find("Z80"),
            std::string::npos);
}

TEST(BenchResume, BuildsWithChangesAreToldApartByTheirPrograms) {
  FakeMachine machine;
  const Plan plan = fake_plan(machine, kRounds);
  BenchRecord left = interrupted(machine, "a typed_2", fake_samples({5}));
  BenchRecord head = head_of(plan);
  left.meta.build.program = "0123";
  head.meta.build.program = "4567";

  EXPECT_EQ(refusal_of(left, head, plan), "taken");
  left.meta.build.dirty = head.meta.build.dirty = true;
  EXPECT_NE(refusal_of(left, head, plan).find("with changes (0123)"), std::string::npos);
  head.meta.build.program = "0123";
  EXPECT_EQ(refusal_of(left, head, plan), "taken");
}

TEST(BenchResume, OtherSubjectsAndCasesAreRefusedInWords) {
  FakeMachine machine;
  const BenchRecord left = interrupted(machine, "a typed_2", fake_samples({5}));
  const BenchRecord head = head_of(fake_plan(machine, kRounds));
  Plan fewer = fake_plan(machine, kRounds);
  fewer.cases.pop_back();
  Plan others = fewer;
  others.cases.push_back(select_cases({"loop/empty"}, {}).front());
  Plan alone = fake_plan(machine, kRounds);
  alone.contenders.pop_back();
  BenchRecord older = left;
  older.subjects[0].version = "6";
  BenchRecord complete = left;
  complete.meta.complete = true;
  BenchRecord counts = left;
  counts.done.reset();
  const Plan plan = fake_plan(machine, kRounds);

  EXPECT_EQ(refusal_of(left, head, fewer),
            "--resume: the number of cases is 3 in the record, and 2 now");
  EXPECT_NE(refusal_of(left, head, others).find("and loop/empty (host.loop_ns) of a now"),
            std::string::npos);
  EXPECT_EQ(refusal_of(left, head, alone),
            "--resume: the subjects are a, b in the record, and a now");
  EXPECT_NE(refusal_of(older, head, plan).find("'a' is fake 6, "), std::string::npos);
  EXPECT_EQ(refusal_of(complete, head, plan), "--resume: the bench is complete");
  EXPECT_NE(refusal_of(counts, head, plan).find("holds counts"), std::string::npos);
  machine.cannot_start = "b";
  EXPECT_NE(refusal_of(left, head, plan).find("'b' cannot be started: the subject ended"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::bench
