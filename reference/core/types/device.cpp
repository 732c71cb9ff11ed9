// Names of devices.
#include "reference/core/types/device.hpp"

#include <array>

namespace assay::reference {
namespace {

constexpr std::array<std::string_view, kDeviceTypes> kNames{
    "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
    "fpga", "ort",  "xla",    "vulkan", "metal",  "xpu",   "mps",
    "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone",
};

}  // namespace

std::string_view name_of(DeviceType type, Release release) {
  if (type == DeviceType::kOrt && release != Release::k1_13) return "maia";
  return kNames[static_cast<std::size_t>(type)];
}

std::optional<DeviceType> device_type_named(std::string_view name, Release release) {
  for (int i = 0; i < kDeviceTypes; ++i) {
    const auto type = static_cast<DeviceType>(i);
    if (type == DeviceType::kMtia && release == Release::k1_13) continue;
    if (name_of(type, release) == name) return type;
  }
  return std::nullopt;
}

std::string to_text(Device device) {
  std::string text(name_of(device.type));
  if (device.index != -1) text += ":" + std::to_string(device.index);
  return text;
}

}  // namespace assay::reference
