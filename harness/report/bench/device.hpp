// A GPU in a record: which one it is, and how it is set up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::report {

/// Values that the driver does not report are missing.
struct BenchDevice {
  std::string name;
  std::optional<std::int64_t> most_sm_clock_mhz = {};
  std::optional<bool> ecc = {};
  std::optional<bool> mig = {};
  std::optional<bool> persistence = {};
  std::optional<std::string> uuid = {};
  std::optional<std::int64_t> most_memory_clock_mhz = {};
  std::optional<std::int64_t> application_sm_clock_mhz = {};  ///< the limit set by the user
  std::optional<double> power_limit_w = {};
  std::optional<bool> used = {};  ///< programs use it first, by CUDA_VISIBLE_DEVICES
};

/// The one that programs use first; the first, if the record does not say. Null without devices.
inline const BenchDevice* used_device(const std::vector<BenchDevice>& devices) {
  for (const BenchDevice& device : devices) {
    if (device.used.value_or(false)) return &device;
  }
  return devices.empty() ? nullptr : &devices.front();
}

}  // namespace assay::report
