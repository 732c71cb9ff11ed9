// Devices: a type and an index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// CORE-08. The enumerators are in an order of our own; `number_of` gives the release's numbers.
enum class DeviceType : std::uint8_t {
  kCpu = 0,
  kCuda,
  kMkldnn,
  kOpengl,
  kOpencl,
  kIdeep,
  kHip,
  kFpga,
  kOrt,  ///< `maia` in 2.x
  kXla,
  kVulkan,
  kMetal,
  kXpu,
  kMps,
  kMeta,
  kHpu,
  kVe,
  kLazy,
  kIpu,
  kMtia,  ///< not in 1.13
  kPrivateUse1,
};
inline constexpr int kDeviceTypes = 21;

/// Index -1 means the current device or an unspecified one. A CUDA tensor always has an index
/// (CORE-20); CPU and meta tensors never have one.
struct Device {
  DeviceType type = DeviceType::kCpu;
  int index = -1;

  bool is_cpu() const { return type == DeviceType::kCpu; }
  bool is_cuda() const { return type == DeviceType::kCuda; }
  bool is_meta() const { return type == DeviceType::kMeta; }
  /// `cuda` and `cuda:0` are different devices (CORE-09).
  bool operator==(const Device&) const = default;
};

inline constexpr Device kCpuDevice{DeviceType::kCpu, -1};
inline constexpr Device kMetaDevice{DeviceType::kMeta, -1};
inline constexpr Device cuda_device(int index) { return {DeviceType::kCuda, index}; }

/// `cuda`, `privateuseone`, …
std::string_view name_of(DeviceType type, Release release = kNewestRelease);
std::optional<DeviceType> device_type_named(std::string_view name, Release release);

/// Formats as `cuda:1`, or `cuda` without an index (CORE-09).
std::string to_text(Device device);

}  // namespace assay::reference
