// The launch plan: where each launch ends.
#include "cuda_impl/amp/launch_plan.hpp"

#include <gtest/gtest.h>

namespace assay::cuda {
namespace {

using Counts = std::vector<std::int64_t>;

TEST(LaunchPlan, EndsInTheMiddleOfATensorThatFillsTheBlocks) {
  const auto plan = plan_launches(Counts{3 * kPlannedChunk + 1, 5}, {110, 2}, false);

  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[0].tensor, 0u);
  EXPECT_EQ(plan[0].element, 2 * kPlannedChunk);
  EXPECT_EQ(plan[1].element, 3 * kPlannedChunk + 1);
  EXPECT_EQ(plan[2].tensor, 1u);
  EXPECT_EQ(plan[2].blocks, 1);
}

TEST(LaunchPlan, OfOldReleasesLosesOnlyTheLaunchThatIsBeingFilled) {
  Counts counts(112, 1);
  counts.back() = 0;

  const auto plan = plan_launches(counts, {}, true);

  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].tensor, 109u);
}

TEST(LaunchPlan, OfOldReleasesKeepsAnEmptyTensorThatIsNotTheLast) {
  const auto plan = plan_launches(Counts{4, 0, 4}, {}, true);

  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].blocks, 2);
}

}  // namespace
}  // namespace assay::cuda
