// A device: its kind and its index; conversions of devices from text and numbers, and their numbers
// and dispatch keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda {

/// CORE-08: all kinds that PyTorch names. This runtime has tensors on three of them.
enum class DeviceKind : std::uint8_t {
  kCpu,
  kCuda,
  kMkldnn,
  kOpengl,
  kOpencl,
  kIdeep,
  kHip,
  kFpga,
  kMaia,  ///< `ort` in 1.13
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
  kMtia,
  kPrivateUse1,
};

/// Index -1 means unspecified. A CUDA tensor always has an index, any other tensor never has one
/// (CORE-20).
struct Device {
  DeviceKind kind = DeviceKind::kCpu;
  int index = -1;

  bool is_cuda() const { return kind == DeviceKind::kCuda; }
  bool is_cpu() const { return kind == DeviceKind::kCpu; }
  bool is_meta() const { return kind == DeviceKind::kMeta; }
  bool operator==(const Device&) const = default;
};

inline constexpr Device kCpu{DeviceKind::kCpu, -1};
inline constexpr Device kMeta{DeviceKind::kMeta, -1};
inline constexpr Device cuda_device(int index) { return {DeviceKind::kCuda, index}; }

std::string_view name_of(DeviceKind kind, Release release = kNewestRelease);
bool exists_in(DeviceKind kind, Release release);
/// Returns `cuda:1`, `cpu`, …
std::string to_text(Device device, Release release = kNewestRelease);
std::optional<DeviceKind> device_kind_named(std::string_view name, Release release);

/// CORE-10: parses a device string. Raises `error` if it is invalid.
Device device_from_text(std::string_view text, const Contract& contract);
/// CORE-09. Raises `internal` for an index that is invalid for the kind.
Device make_device(DeviceKind kind, std::int64_t index, const Contract& contract);
/// CORE-08: the kind's number in the given release.
std::int64_t number_of(DeviceKind kind, Release release);
/// The kind of error that asking for the dispatch key of a kind without one raises.
ErrorKind error_without_key(DeviceKind kind, Release release);
/// Returns the dispatch key of the kind's tensors. Raises `error_without_key` for kinds without
/// one.
std::string_view dispatch_key_of(DeviceKind kind, Release release);

}  // namespace assay::cuda
