// Tests of GPU clocks reported by workers.
#include <gtest/gtest.h>

#include "harness/bench/fake_worker.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {
namespace {

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
