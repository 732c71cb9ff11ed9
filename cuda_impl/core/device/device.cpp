// Names of devices.
#include "cuda_impl/core/device/device.hpp"

#include <array>

namespace assay::cuda {
namespace {

/// Indexed by DeviceKind.
constexpr std::array<std::string_view, 21> kNames = {
    "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
    "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
    "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};
static_assert(kNames.size() == static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1);

}  // namespace

std::string_view name_of(DeviceKind kind, Release release) {
  // CORE-08
  if (kind == DeviceKind::kMaia && release == Release::k1_13) return "ort";
  return kNames[static_cast<std::size_t>(kind)];
}

bool exists_in(DeviceKind kind, Release release) {
  return kind != DeviceKind::kMtia || release != Release::k1_13;
}

std::optional<DeviceKind> device_kind_named(std::string_view name, Release release) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto kind = static_cast<DeviceKind>(i);
    if (exists_in(kind, release) && name_of(kind, release) == name) return kind;
  }
  return std::nullopt;
}

std::string to_text(Device device, Release release) {
  std::string text(name_of(device.kind, release));
  if (device.index != -1) text += ":" + std::to_string(device.index);
  return text;
}

}  // namespace assay::cuda
