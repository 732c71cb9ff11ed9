// Sampling with subjects whose loops are right, wrong, or not there; no test looks at a time.
#include "harness/measure/sampling.hpp"

#include <gtest/gtest.h>

#include "harness/measure/bare_calls.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::measure {
namespace {

constexpr SamplingOptions kQuick{.rounds = 3, .batch = std::chrono::nanoseconds(1000)};

/// Runs one iteration fewer than it was asked for.
class Lazy final : public Subject {
 public:
  Reply execute(const Command& command, Host&) override {
    Arguments arguments(command);
    const std::int64_t times = bench_times(arguments) - 1;
    const auto turn = bench_turn();
    return Reply::make_ok(to_fields(run_bench_loop(times, [] { bench_sum().step(1); })));
  }
};

/// Raises.
class Broken final : public Subject {
 public:
  Reply execute(const Command&, Host&) override {
    return Reply::make_error(ErrorKind::kError, "no memory for a bench");
  }
};

template <typename Made>
std::unique_ptr<Link> link_to() {
  return connect_in_process([] { return std::make_unique<Made>(); });
}

TEST(BareCalls, EveryLoopThatTheyHaveDoesWhatItShould) {
  const auto link = connect_in_process(make_bare_calls);
  for (const char* name : {"empty", "typed_1", "typed_2", "typed_4", "redispatch"}) {
    const Samples samples = sample({{link.get(), find_loop(name)}}, kQuick).front();

    EXPECT_EQ(samples.status, Samples::Status::kTimed) << name << ": " << samples.reason;
    EXPECT_EQ(samples.ns.size(), 3U) << name;
    EXPECT_GE(samples.times, 1) << name;
  }
}

TEST(BareCalls, TheOthersAreUnsupported) {
  const auto link = connect_in_process(make_bare_calls);

  const Samples samples = sample({{link.get(), find_loop("autocast_hit")}}, kQuick).front();

  EXPECT_EQ(samples.status, Samples::Status::kLacking);
  EXPECT_EQ(samples.reason, "a function pointer has no autocast_hit");
  EXPECT_TRUE(samples.ns.empty());
}

TEST(Sampling, ALoopThatWasCutShortIsNoTime) {
  const auto link = link_to<Lazy>();

  const Samples samples = sample({{link.get(), find_loop("empty")}}, kQuick).front();

  EXPECT_EQ(samples.status, Samples::Status::kWrong);
  EXPECT_NE(samples.reason.find("after 5 iterations the checksum is"), std::string::npos)
      << samples.reason;
}

TEST(Sampling, AnErrorIsNoTimeAndTheOthersGoOn) {
  const auto broken = link_to<Broken>();
  const auto bare = connect_in_process(make_bare_calls);
  const Loop* loop = find_loop("empty");

  const auto all = sample({{broken.get(), loop}, {bare.get(), loop}}, kQuick);

  EXPECT_EQ(all[0].status, Samples::Status::kWrong);
  EXPECT_EQ(all[0].reason, "no memory for a bench");
  EXPECT_EQ(all[1].ns.size(), 3U);
}

TEST(Loops, AChecksumTellsCountAndOrder) {
  const Loop loop{"mine", "", {2, 1}};
  const Loop turned{"turned", "", {1, 2}};
  const Loop alternating{"alternating", "", {1}, {0}};

  EXPECT_EQ(expected_checksum(loop, 0), 0U);
  EXPECT_EQ(expected_checksum(loop, 1), 2 * BenchSum::kFactor + 1);
  EXPECT_NE(expected_checksum(loop, 7), expected_checksum(turned, 7));
  EXPECT_NE(expected_checksum(loop, 7), expected_checksum(loop, 8));
  EXPECT_EQ(expected_checksum(alternating, 2), BenchSum::kFactor);
}

TEST(Loops, AreFoundByName) {
  EXPECT_GE(all_loops().size(), 14U);
  for (const Loop& loop : all_loops()) EXPECT_EQ(find_loop(loop.name), &loop);
  EXPECT_EQ(find_loop("typed_3"), nullptr);
}

}  // namespace
}  // namespace assay::measure
