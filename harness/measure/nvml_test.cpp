// Tests with a fake management library.
#include "harness/measure/nvml.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace assay::measure {
namespace {

std::unique_ptr<Nvml> opened(const char* gpus) {
  setenv("ASSAY_FAKE_GPUS", gpus, 1);
  return Nvml::open(ASSAY_FAKE_NVML);
}

TEST(Nvml, DescribesAGpuByClocksModesAndThrottling) {
  const auto nvml = opened("2");
  ASSERT_NE(nvml, nullptr);

  const std::vector<GpuState> gpus = nvml->gpus();

  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(nvml->driver(), "580.65.06");
  EXPECT_EQ(gpus[0].name, "NVIDIA H200");
  EXPECT_EQ(gpus[0].sm_clock_mhz, 1665U);
  EXPECT_EQ(gpus[0].most_sm_clock_mhz, 1980U);
  EXPECT_EQ(gpus[0].memory_clock_mhz, 3201U);
  EXPECT_EQ(gpus[0].temperature_c, 61U);
  EXPECT_EQ(gpus[0].power_w, 699.5);
  EXPECT_EQ(gpus[0].ecc, true);
  EXPECT_EQ(gpus[0].mig, false);
  EXPECT_EQ(gpus[0].persistence, false);
  EXPECT_EQ(gpus[0].uuid, "GPU-11111111");
  EXPECT_EQ(gpus[0].most_memory_clock_mhz, 3201U);
  EXPECT_EQ(gpus[0].application_sm_clock_mhz, 1980U);
  EXPECT_EQ(gpus[0].power_limit_w, 700);
  EXPECT_EQ(gpus[0].programs, 2U);
  EXPECT_EQ(gpus[0].throttled_by, (std::vector<std::string>{"power", "heat"}));
  EXPECT_EQ(throttling_of(gpus), "power, heat");
  EXPECT_EQ(nvml->clock().sm_mhz, 1665U);
  EXPECT_EQ(nvml->clock().throttled_by, "power, heat");
}

TEST(Nvml, ValuesThatTheDriverLacksAreMissing) {
  const GpuState gpu = opened("2")->gpus()[1];

  EXPECT_EQ(gpu.name, "NVIDIA T4");
  EXPECT_EQ(gpu.sm_clock_mhz, std::nullopt);
  EXPECT_EQ(gpu.ecc, std::nullopt);
  EXPECT_EQ(gpu.power_w, std::nullopt);
  EXPECT_EQ(gpu.programs, 0U);
  EXPECT_EQ(throttling_of({gpu}), "");
}

TEST(Nvml, ReadsTheClockOfTheGpuThatProgramsUse) {
  const auto used = [](const char* visible) {
    setenv("CUDA_VISIBLE_DEVICES", visible, 1);
    const auto nvml = opened("2");
    const std::vector<GpuState> gpus = nvml->gpus();
    unsetenv("CUDA_VISIBLE_DEVICES");
    EXPECT_NE(gpus[0].used, gpus[1].used);
    EXPECT_EQ(nvml->clock().sm_mhz.has_value(), gpus[0].used);
    EXPECT_EQ(nvml->clock().throttled_by.empty(), gpus[1].used);
    return gpus[0].used ? 0 : 1;
  };

  EXPECT_EQ(used("1"), 1);
  EXPECT_EQ(used("0,1"), 0);
  EXPECT_EQ(used("GPU-2222"), 1);
  EXPECT_EQ(used("MIG-GPU-22222222/1/0"), 1);
  EXPECT_EQ(used("GPU-3"), 0);
}

TEST(Nvml, IsAbsentWithoutLibraryOrDriver) {
  EXPECT_EQ(Nvml::open("libassay-has-no-such.so"), nullptr);
  EXPECT_EQ(opened("-1"), nullptr);
  EXPECT_TRUE(opened("0")->gpus().empty());
  EXPECT_EQ(opened("0")->clock().sm_mhz, std::nullopt);
}

}  // namespace
}  // namespace assay::measure
