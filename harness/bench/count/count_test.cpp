// Tests of instruction counts, with scripted workers.
#include "harness/bench/count/count.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "harness/measure/batch.hpp"
#include "harness/measure/calibration.hpp"
#include "harness/measure/worker.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

Contender bare(const std::string& id) {
  Contender contender;
  contender.id = contender.subject = id;
  contender.open = [] {
    return connect_in_process(
        [] { return measure::make_worker(connect_in_process(measure::make_bare_calls)); });
  };
  return contender;
}

Plan plan_for(const std::string& filter) {
  Plan plan;
  plan.contenders = {bare("a"), bare("b")};
  plan.cases = select_cases({filter}, {});
  plan.processes = 2;
  return plan;
}

/// 50,000 instructions for the start, and `each` per iteration.
Counter costs(double each) {
  return [each](const Contender&, const measure::LoopCall&, std::int64_t times) {
    return 50'000 + static_cast<std::int64_t>(each * static_cast<double>(times));
  };
}

TEST(Count, IsWhatAnIterationAddsInEveryRoundWithoutTheStart) {
  const Measured measured = count(plan_for("dispatch/typed"), costs(120));

  ASSERT_EQ(measured.measurements.size(), 6U);
  for (const BenchMeasurement& cell : measured.measurements) {
    EXPECT_EQ(cell.status, BenchStatus::kMeasured);
    EXPECT_TRUE(cell.checked);
    EXPECT_TRUE(cell.exact);
    EXPECT_EQ(cell.quantity, "instr.count");
    ASSERT_EQ(cell.processes.size(), 2U);
    EXPECT_EQ(cell.processes[0].median, 120);
    EXPECT_EQ(cell.processes[1].median, 120);
  }
  EXPECT_EQ(measured.subjects[1].via, "c++");
}

TEST(Count, RoundsToAHalfWhatTheRepliesDigitsAdd) {
  EXPECT_EQ(count(plan_for("loop/empty"), costs(5.004)).measurements[0].processes[0].median, 5);
  EXPECT_EQ(count(plan_for("loop/empty"), costs(5.496)).measurements[0].processes[0].median, 5.5);
}

TEST(Count, ShowsEachRoundWhereTheyDiffer) {
  std::atomic<int> asked = 0;
  const Counter unsteady = [&](const Contender&, const measure::LoopCall&, std::int64_t times) {
    return ++asked <= 2 ? 10 * times : 11 * times;
  };

  const Measured measured = count(plan_for("loop/empty"), unsteady);

  EXPECT_EQ(measured.measurements[0].processes[0].median, 10);
  EXPECT_EQ(measured.measurements[0].processes[1].median, 11);
}

TEST(Count, AsksNothingOfASubjectWithoutTheLoop) {
  const Counter never = [](const Contender&, const measure::LoopCall&,
                           std::int64_t) -> std::int64_t {
    throw std::logic_error("it was counted");
  };

  const Measured measured = count(plan_for("runtime/event"), never);

  EXPECT_EQ(measured.measurements[0].status, BenchStatus::kUnsupported);
  EXPECT_EQ(measured.measurements[0].reason, "function pointers have no loop event");
}

/// Answers like bare calls, but reports that it is written in Python.
class Snake final : public Link {
 public:
  Reply exchange(const Command& command) override {
    Reply reply = link_->exchange(command);
    if (command.verb == "bench.run") reply.ok.set("via", "python");
    return reply;
  }
  void restart() override { link_->restart(); }

 private:
  std::unique_ptr<Link> link_ = connect_in_process(measure::make_bare_calls);
};

TEST(Count, LeavesLoopsInPythonOut) {
  Plan plan = plan_for("loop/empty");
  plan.contenders[1].open = [] { return std::make_unique<Snake>(); };

  const Measured measured = count(plan, costs(5));

  EXPECT_EQ(measured.measurements[0].status, BenchStatus::kMeasured);
  EXPECT_EQ(measured.measurements[1].status, BenchStatus::kUnsupported);
  EXPECT_EQ(measured.measurements[1].reason,
            "its loops are in Python: an interpreter's instructions are not counted");
}

TEST(Count, AProcessThatDiesFailsItsCaseAndNoOther) {
  const Counter mortal = [](const Contender& contender, const measure::LoopCall& loop,
                            std::int64_t times) -> std::int64_t {
    if (contender.id == "a" && loop.loop->name == "typed_2") {
      throw LinkBroken(LinkBroken::Cause::kDied, "the subject died of SIGILL", "unhandled\n");
    }
    return 7 * times;
  };

  const Measured measured = count(plan_for("dispatch/typed"), mortal);

  for (std::size_t i = 0; i < measured.measurements.size(); ++i) {
    EXPECT_EQ(measured.measurements[i].status == BenchStatus::kFailed, i == 2) << i;
  }
  EXPECT_EQ(measured.measurements[2].reason, "the subject died of SIGILL: unhandled");
}

TEST(Count, FewerInstructionsForMoreIterationsAreNoCount) {
  const Measured measured = count(plan_for("loop/empty"), costs(-1));

  EXPECT_EQ(measured.measurements[0].status, BenchStatus::kFailed);
}

TEST(Count, AWorkerThatCannotBeStartedFailsAllItsCases) {
  Plan plan = plan_for("dispatch/typed");
  plan.contenders[0].open = []() -> std::unique_ptr<Link> {
    throw LinkBroken(LinkBroken::Cause::kDied, "there is no such program");
  };

  const Measured measured = count(plan, costs(3));

  for (std::size_t i = 0; i < measured.measurements.size(); ++i) {
    EXPECT_EQ(measured.measurements[i].status == BenchStatus::kFailed, i % 2 == 0) << i;
  }
  EXPECT_EQ(measured.measurements[0].reason,
            "its worker could not be started: there is no such program");
}

TEST(Count, AnInterruptKeepsWhatIsDone) {
  Plan plan = plan_for("dispatch/typed");
  StopSignal stop;
  plan.stop = &stop;
  plan.on_step = [&](const Step& step) {
    if (step.done == 2) stop.set();
  };

  const Measured measured = count(plan, costs(3));

  EXPECT_TRUE(measured.interrupted);
  EXPECT_EQ(measured.measurements[0].status, BenchStatus::kMeasured);
  EXPECT_EQ(measured.measurements[5].status, BenchStatus::kNotRun);
}

TEST(Callgrind, TheTotalIsALineOfItsOutput) {
  EXPECT_EQ(total_of("events: Ir\nsummary: 12\nfn=(1)\ntotals: 34\n"), 34);
  EXPECT_EQ(total_of("events: Ir\nsummary: 12\n"), 12);
  EXPECT_THROW(total_of("events: Ir\n"), WorkerError);
  EXPECT_THROW(total_of("events: Ir\nsummary: many\n"), WorkerError);
}

TEST(Callgrind, AProgramThatCannotBeCountedIsTold) {
  Contender contender = bare("a");
  contender.program = {"true"};
  CallgrindOptions options;
  options.valgrind = "./no-such-valgrind";

  try {
    callgrind(options)(contender, *measure::find_loop("empty"), 1);
    FAIL() << "it was counted";
  } catch (const LinkBroken& broken) {
    EXPECT_NE(broken.last_words().find("no-such-valgrind"), std::string::npos)
        << broken.what() << broken.last_words();
  }
}

}  // namespace
}  // namespace assay::bench
