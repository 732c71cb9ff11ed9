// Tests of verdicts on small fleets made by hand.
#include "harness/fleet/judge.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace assay::fleet {
namespace {

std::vector<std::pair<std::int64_t, double>> rounds_of(double log, std::mt19937_64& draw) {
  std::normal_distribution<double> noise(0, 0.002);
  std::vector<std::pair<std::int64_t, double>> rounds;
  for (std::int64_t round = 0; round < 7; ++round) rounds.emplace_back(round, log + noise(draw));
  return rounds;
}

/// Each GPU has three rows of memory and three of short kernels, and a clock.
Fleet fleet_of(std::size_t count) {
  std::mt19937_64 draw(1);
  std::normal_distribution<double> spread(0, 0.004);
  Fleet fleet;
  for (std::size_t i = 0; i < count; ++i) {
    Gpu gpu;
    gpu.id = fmt::format("GPU-{}", i);
    gpu.model = "a model";
    gpu.method = "a build";
    gpu.settings = {{"ECC", "on"}};
    gpu.runs = gpu.benches = 1;
    const double own = spread(draw);
    for (const Family family : {Family::kMemory, Family::kKernels}) {
      for (int row = 0; row < 3; ++row) {
        const std::string name = fmt::format("{} {}", name_of(family), row);
        gpu.rows[name] = {family, name, "cuda", rounds_of(10 + own, draw), {}, {}, {}};
      }
    }
    gpu.clocks = rounds_of(std::log(1980.0), draw);
    fleet.gpus.push_back(std::move(gpu));
  }
  return fleet;
}

void slow_down(Gpu& gpu, Family family, double factor) {
  for (auto& [name, row] : gpu.rows) {
    if (row.family != family) continue;
    for (auto& [round, value] : row.rounds) value += std::log(factor);
  }
}

std::vector<Verdict> verdicts_of(const Fleet& fleet) {
  std::vector<Verdict> verdicts;
  for (const Judged& judged : judge(fleet, {}).gpus) verdicts.push_back(judged.verdict);
  return verdicts;
}

std::vector<Verdict> all_like(std::size_t count) {
  return std::vector<Verdict>(count, Verdict::kLike);
}

TEST(Judge, AHealthyFleetIsLikeItself) { EXPECT_EQ(verdicts_of(fleet_of(30)), all_like(30)); }

TEST(Judge, SlowMemoryMakesAGpuOdd) {
  Fleet fleet = fleet_of(30);
  slow_down(fleet.gpus[4], Family::kMemory, 1.06);

  const Judgement judgement = judge(fleet, {});

  auto wanted = all_like(30);
  wanted[4] = Verdict::kOddOne;
  EXPECT_EQ(verdicts_of(fleet), wanted);
  EXPECT_TRUE(judgement.gpus[4].reasons[0].starts_with("its memory is slow"));
  EXPECT_EQ(judgement.counts[static_cast<std::size_t>(Verdict::kOddOne)], 1U);
}

TEST(Judge, TheWorstVerdictCountsAndKeepsTheOtherReasons) {
  Fleet fleet = fleet_of(30);
  slow_down(fleet.gpus[4], Family::kMemory, 1.06);
  fleet.gpus[4].settings["ECC"] = "off";
  EXPECT_EQ(verdicts_of(fleet)[4], Verdict::kMisconfigured);

  fleet.gpus[4].red["cuda a case"] = {3, 1, 0, "expected 1"};

  const Judged judged = judge(fleet, {}).gpus[4];
  EXPECT_EQ(judged.verdict, Verdict::kWrongBits);
  EXPECT_EQ(judged.reasons[0], "wrong bits: cuda a case (1 of 3 times)");
  EXPECT_EQ(judged.reasons[1], "ECC is off; that of 29 of 29 neighbours is on");
  EXPECT_TRUE(judged.reasons[2].starts_with("its memory is slow"));
}

TEST(Judge, ACaseThatFailsOnNearlyAllGpusIsNoGpus) {
  Fleet fleet = fleet_of(10);
  fleet.times["cuda a case"] = 30;
  for (Gpu& gpu : fleet.gpus) gpu.red["cuda a case"] = {3, 3, 0, "expected 1"};
  EXPECT_EQ(verdicts_of(fleet), all_like(10));
  EXPECT_EQ(judge(fleet, {}).notes.size(), 1U);

  for (std::size_t i = 0; i < 5; ++i) fleet.gpus[i].red.clear();

  EXPECT_EQ(verdicts_of(fleet)[0], Verdict::kLike);
  EXPECT_EQ(verdicts_of(fleet)[5], Verdict::kWrongBits);
}

TEST(Judge, OneGpuAloneCanHaveWrongBits) {
  Fleet fleet = fleet_of(1);
  EXPECT_EQ(verdicts_of(fleet)[0], Verdict::kUndecided);

  fleet.gpus[0].red["cuda a case"] = {1, 1, 0, "expected 1"};

  EXPECT_EQ(verdicts_of(fleet)[0], Verdict::kWrongBits);
}

TEST(Judge, FewNeighboursMissingRowsAndMissingRunsAreUndecided) {
  EXPECT_EQ(verdicts_of(fleet_of(4)), std::vector<Verdict>(4, Verdict::kUndecided));

  Fleet fleet = fleet_of(30);
  fleet.gpus[0].rows.erase("memory 0");
  fleet.gpus[0].rows.erase("memory 1");
  fleet.gpus[1].runs = 0;
  fleet.gpus[2].rows.clear();

  auto wanted = all_like(30);
  wanted[0] = wanted[1] = wanted[2] = Verdict::kUndecided;
  EXPECT_EQ(verdicts_of(fleet), wanted);
}

TEST(Judge, NoSettingIsUsualInTwoHalves) {
  Fleet fleet = fleet_of(10);
  for (std::size_t i = 0; i < 5; ++i) fleet.gpus[i].settings["ECC"] = "off";

  EXPECT_EQ(verdicts_of(fleet), all_like(10));
  EXPECT_EQ(judge(fleet, {}).notes,
            std::vector<std::string>{"a model: no usual ECC among 10 GPUs"});
}

}  // namespace
}  // namespace assay::fleet
