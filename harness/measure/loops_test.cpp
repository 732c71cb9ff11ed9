// Tests of the table of loops, and of the names in reports.
#include "harness/measure/loops.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "harness/measure/batch.hpp"
#include "harness/measure/families.hpp"
#include "harness/measure/timed_cases.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::measure {
namespace {

TEST(Loops, AChecksumTellsCountAndOrder) {
  const Loop loop{"mine", {2, 1}};
  const Loop turned{"turned", {1, 2}};
  const Loop alternating{"alternating", {1}, {0}};

  EXPECT_EQ(expected_checksum(loop, 0), 0U);
  EXPECT_EQ(expected_checksum(loop, 1), 2 * BenchSum::kFactor + 1);
  EXPECT_EQ(expected_checksum(loop, 1, 5), (5 * BenchSum::kFactor + 2) * BenchSum::kFactor + 1);
  EXPECT_NE(expected_checksum(loop, 7), expected_checksum(turned, 7));
  EXPECT_NE(expected_checksum(loop, 7), expected_checksum(loop, 8));
  EXPECT_EQ(expected_checksum(alternating, 2), BenchSum::kFactor);
}

TEST(Loops, AreFoundByName) {
  EXPECT_GE(all_loops().size(), 14U);
  for (const Loop& loop : all_loops()) EXPECT_EQ(find_loop(loop.name), &loop);
  EXPECT_EQ(find_loop("typed_3"), nullptr);
}

TEST(TimedCases, EachLoopIsInOne) {
  std::set<const Loop*> seen;
  for (const TimedCase& timed : all_timed_cases()) {
    seen.insert(timed.call.loop);
  }
  EXPECT_EQ(seen.size(), all_loops().size());
}

TEST(TimedCases, AreCommandsThatTheSchemaPermits) {
  for (const TimedCase& timed : all_timed_cases()) {
    Command command;
    command.id = 1;
    command.verb = "bench.run";
    command.with = to_fields(timed.call);
    command.with.set("n", std::int64_t{1});
    command.with.set("seed", std::int64_t{-1});

    EXPECT_EQ(validate_command(to_json(command)), std::vector<std::string>{}) << timed.name;
  }
}

TEST(TimedCases, AModelHasAsManyTensorsAndElementsAsIsKnown) {
  const auto elements = [](const std::vector<std::int64_t>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  };

  EXPECT_EQ(resnet50().size(), 161U);
  EXPECT_EQ(elements(resnet50()), 25'557'032);
  EXPECT_EQ(transformer7b().size(), 291U);
  EXPECT_EQ(elements(transformer7b()), 6'738'415'616);
}

TEST(TimedCases, AShrunkModelHasTheSameTensorsAndNoneIsEmpty) {
  const std::vector<std::int64_t> sizes = resnet50(1000);

  ASSERT_EQ(sizes.size(), 161U);
  EXPECT_EQ(sizes[0], 10);  // 9408 over 1000, rounded up
  EXPECT_EQ(sizes[1], 1);
}

}  // namespace
}  // namespace assay::measure
