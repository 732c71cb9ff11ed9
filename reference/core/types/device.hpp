// Devices: a type and an index, in text and number form (grammar, enumerator values and key names);
// a stream as a value.
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

/// STR-001: a device and an id. Id 0 is the device's default stream.
struct Stream {
  Device device;
  std::int64_t id = 0;

  bool operator==(const Stream&) const = default;
};

// Text and number form.

/// Parses `letters` or `letters:number` (CORE-10). Raises `error` for an empty or malformed text,
/// an unknown type, and an index that does not fit; in compat mode the index wraps.
Device device_from_text(std::string_view text, const Contract& contract);

/// Raises `internal` for an index below -1, and for a CPU index above 0, which compat mode accepts
/// (CORE-09).
Device make_device(DeviceType type, std::int64_t index, const Contract& contract);

/// The enumerator's value in the release (CORE-08).
int number_of(DeviceType type, Release release);

/// The dispatch key of the type. Raises `internal` for legacy types without one (CORE-08).
std::string_view dispatch_key_of(DeviceType type, Release release);

}  // namespace assay::reference
