// Tests of doctor's findings on a quiet and on a noisy machine.
#include "harness/doctor/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay {
namespace {

using Kind = Finding::Kind;

measure::Machine quiet() {
  measure::Machine machine;
  machine.cores = 4;
  machine.governor = "performance";
  machine.turbo = false;
  machine.smt = false;
  machine.virtualization = "none";
  return machine;
}

std::ptrdiff_t noisy(const std::vector<Finding>& findings) {
  return std::ranges::count(findings, Kind::kNoisy, &Finding::kind);
}

TEST(Noise, AQuietMachineHasNone) {
  const auto findings = noise_of(quiet(), 0.1);

  EXPECT_EQ(findings.size(), 5);
  EXPECT_EQ(noisy(findings), 0);
}

TEST(Noise, EachThingIsNamedWithWhatMendsIt) {
  measure::Machine machine = quiet();
  machine.governor = "powersave";
  machine.turbo = true;
  machine.smt = true;
  machine.virtualization = "kvm";
  const auto findings = noise_of(machine, 3.0);

  EXPECT_EQ(noisy(findings), 5);
  for (const Finding& finding : findings) EXPECT_NE(finding.mend, "") << finding.what;
  EXPECT_NE(to_text(findings, 200).find("noisy    governor   'powersave'"), std::string::npos);
  EXPECT_EQ(last_line(findings), "0 found, 0 missing, 5 noisy\n");
}

TEST(Noise, NothingIsSaidOfWhatTheSystemDoesNotTell) {
  measure::Machine machine = quiet();
  machine.governor = std::nullopt;
  machine.turbo = machine.smt = std::nullopt;

  EXPECT_EQ(noise_of(machine, std::nullopt).size(), 1);
}

TEST(Noise, AGpuIsDescribedAndWhatMovesItsTimesNamed) {
  measure::GpuState gpu;
  gpu.name = "NVIDIA H200";
  EXPECT_EQ(noisy(noise_of({gpu})), 0);
  gpu.sm_clock_mhz = 1665;
  gpu.most_sm_clock_mhz = 1980;
  gpu.power_w = 699.5;
  gpu.programs = 2;
  gpu.mig = true;
  gpu.persistence = false;
  gpu.throttled_by = {"power", "heat"};

  const auto findings = noise_of({measure::GpuState{}, gpu});

  EXPECT_EQ(noisy(findings), 4);
  EXPECT_EQ(findings[1].what, "gpu 1");
  EXPECT_EQ(findings[1].sentence, "NVIDIA H200: 1665 of 1980 MHz, 699.5 W");
  EXPECT_EQ(findings[2].sentence, "its clock is throttled by power, heat");
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.mend.empty(), finding.kind == Kind::kThere);
  }
}

}  // namespace
}  // namespace assay
