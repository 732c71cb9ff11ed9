// Tests of what the environment says about the shard, for each system.
#include "harness/run/environment_shard.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "harness/console/usage_error.hpp"
#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

using Environment = std::map<std::string, std::string>;

FoundShard read(const Environment& environment, std::size_t count = 0) {
  return shard_of_environment(count, [&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

/// `3/8 by SLURM_ARRAY_TASK_ID`, or why there is none.
std::string shard_in(const Environment& environment, std::size_t count = 0) {
  std::string text;
  const std::string why = error_of<UsageError>([&] {
    const FoundShard found = read(environment, count);
    text = fmt::format("{} by {}", to_text(found.shard), found.from);
  });
  return why.empty() ? text : why;
}

Environment array(const char* id, const char* first, const char* last, const char* count) {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", first},
          {"SLURM_ARRAY_TASK_MAX", last},
          {"SLURM_ARRAY_TASK_COUNT", count}};
}

Environment with(Environment environment, const Environment& more) {
  environment.insert(more.begin(), more.end());
  return environment;
}

TEST(EnvironmentShard, IsThatOfASlurmArrayWhereverItsIdsBegin) {
  EXPECT_EQ(shard_in(array("0", "0", "7", "8")), "1/8 by SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(shard_in(array("8", "1", "8", "8")), "8/8 by SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(shard_in(array("12", "10", "12", "3")), "3/3 by SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(shard_in(array("5", "5", "5", "1")), "1/1 by SLURM_ARRAY_TASK_ID");
}

TEST(EnvironmentShard, CountsTheStepsOfAnArray) {
  const Environment by_three{{"SLURM_ARRAY_TASK_STEP", "3"}};

  EXPECT_EQ(shard_in(with(array("7", "1", "10", "4"), by_three)), "3/4 by SLURM_ARRAY_TASK_ID");
  EXPECT_TRUE(holds(shard_in(with(array("8", "1", "10", "4"), by_three)), "has gaps"));
}

TEST(EnvironmentShard, IsRefusedForAnArrayWithGaps) {
  EXPECT_EQ(
      shard_in(array("5", "1", "9", "3")),
      "--shard auto: the Slurm array has gaps: task 5 of 3 tasks with ids from 1 to 9. Use an "
      "array such as --array=1-3, or --shard i/n");
  EXPECT_TRUE(holds(shard_in(array("9", "1", "8", "8")), "has gaps"));
  EXPECT_TRUE(holds(shard_in({{"SLURM_ARRAY_TASK_ID", "1"}}), "SLURM_ARRAY_TASK_MIN is not set"));
}

TEST(EnvironmentShard, IsThatOfEachSystem) {
  EXPECT_EQ(shard_in({{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "4"}}), "3/4 by SLURM_PROCID");
  EXPECT_EQ(shard_in({{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "4"}}), "2/4 by CI_NODE_INDEX");
  EXPECT_EQ(shard_in({{"CIRCLE_NODE_INDEX", "0"}, {"CIRCLE_NODE_TOTAL", "4"}}),
            "1/4 by CIRCLE_NODE_INDEX");
  EXPECT_EQ(shard_in({{"BUILDKITE_PARALLEL_JOB", "3"}, {"BUILDKITE_PARALLEL_JOB_COUNT", "4"}}),
            "4/4 by BUILDKITE_PARALLEL_JOB");
}

TEST(EnvironmentShard, OfKubernetesNeedsTheNumberOfJobs) {
  const Environment job{{"JOB_COMPLETION_INDEX", "7"}};

  EXPECT_EQ(shard_in(job, 8), "8/8 by JOB_COMPLETION_INDEX");
  EXPECT_TRUE(holds(shard_in(job), "write --shard auto/N"));
  EXPECT_EQ(shard_in(job, 7),
            "--shard auto: JOB_COMPLETION_INDEX is 7, which is none of 7 shards that count from 0");
}

TEST(EnvironmentShard, IsThatOfTheSystemThatDividesTheWork) {
  const Environment one_task{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}};

  EXPECT_EQ(shard_in(with(array("2", "1", "4", "4"), one_task)), "2/4 by SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(shard_in(one_task), "1/1 by SLURM_PROCID");
}

TEST(EnvironmentShard, IsRefusedIfTwoSystemsDisagree) {
  const Environment tasks{{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}};

  EXPECT_EQ(shard_in(with(array("2", "1", "4", "4"), tasks)),
            "--shard auto: SLURM_ARRAY_TASK_ID says 2/4, and SLURM_PROCID says 2/2: write --shard "
            "i/n");
  EXPECT_EQ(shard_in(tasks, 4), "--shard auto: SLURM_PROCID says 2/2, which is not one of 4");
}

TEST(EnvironmentShard, IsRefusedIfNothingSaysIt) {
  EXPECT_TRUE(holds(shard_in({}), "none of SLURM_ARRAY_TASK_ID, SLURM_PROCID, "));
  EXPECT_TRUE(holds(shard_in({{"CI_NODE_INDEX", ""}}), "none of "));
  EXPECT_TRUE(holds(shard_in({}, 8), "none of "));
}

TEST(EnvironmentShard, IsRefusedForWhatIsNoShard) {
  EXPECT_TRUE(holds(shard_in({{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "4"}}), "counts from 1"));
  EXPECT_TRUE(holds(shard_in({{"CI_NODE_INDEX", "5"}, {"CI_NODE_TOTAL", "4"}}),
                    "CI_NODE_INDEX is 5, which is none of 4 shards that count from 1"));
  EXPECT_TRUE(holds(shard_in({{"SLURM_PROCID", "-1"}, {"SLURM_NTASKS", "4"}}),
                    "expected a number in SLURM_PROCID, got '-1'"));
  EXPECT_TRUE(holds(shard_in({{"SLURM_PROCID", "1"}}), "SLURM_NTASKS is not set"));
  EXPECT_TRUE(holds(shard_in({{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "9999999"}}), "none of"));
}

TEST(EnvironmentShard, IsAskedForByAutoWithOrWithoutANumber) {
  EXPECT_EQ(auto_shard_from_text("auto"), 0u);
  EXPECT_EQ(auto_shard_from_text("auto/8"), 8u);
  for (const char* wrong : {"auto/", "auto/0", "auto/x", "auto8", "1/8", "auto/9999999"}) {
    EXPECT_EQ(auto_shard_from_text(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace assay
