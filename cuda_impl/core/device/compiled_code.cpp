// Compares what the kernels were compiled for with the devices that the driver names.
#include "cuda_impl/core/device/compiled_code.hpp"

#include <charconv>
#include <optional>

#include "cuda_impl/core/device/driver_devices.hpp"

/// Made by the build: of this program's kernels.
extern const char* const assay_compiled_code;

namespace assay::cuda {
namespace {

struct Architecture {
  Capability capability;
  char special = '\0';  ///< 'a': for this very device; 'f': for its family
  bool is_code = true;
  bool is_ptx = true;
};

std::optional<Architecture> architecture_named(std::string_view name) {
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc()) return std::nullopt;
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  Architecture made = {.capability = {number / 10, number % 10}};
  if (name.starts_with('a') || name.starts_with('f')) {
    made.special = name.front();
    name.remove_prefix(1);
  }
  if (name == "-real") made.is_ptx = false;
  if (name == "-virtual") made.is_code = false;
  return made;
}

bool runs_on(const Architecture& built, Capability device) {
  const bool same_major = device.major == built.capability.major;
  const bool is_its_own = same_major && device.minor == built.capability.minor;
  const bool is_newer_relative = same_major && device.minor >= built.capability.minor;
  if (built.special == 'a') return is_its_own;
  if (built.special == 'f') return is_newer_relative;
  return is_newer_relative || (built.is_ptx && device.major > built.capability.major);
}

/// CUDA 13 compiles for 7.5 and newer.
bool can_be_compiled_for(Capability device) {
  return device.major > 7 || (device.major == 7 && device.minor >= 5);
}

std::string no_code_for(const DriverDevice& device) {
  const std::string major = std::to_string(device.capability.major);
  const std::string minor = std::to_string(device.capability.minor);
  std::string sentence = "This program has no code for the CUDA device " +
                         std::to_string(device.index) + ", " + device.name + " (" + major + "." +
                         minor + "): its kernels were compiled for " + assay_compiled_code + "; ";
  if (can_be_compiled_for(device.capability)) {
    sentence += "configure with -DASSAY_CUDA_ARCHITECTURES=" + major + minor + ", or ";
  }
  return sentence + "hide the device with CUDA_VISIBLE_DEVICES.";
}

}  // namespace

bool has_code_for(Capability device, std::string_view architectures) {
  while (!architectures.empty()) {
    const std::size_t end = architectures.find(';');
    const auto built = architecture_named(architectures.substr(0, end));
    if (!built || runs_on(*built, device)) return true;
    architectures.remove_prefix(end == std::string_view::npos ? architectures.size() : end + 1);
  }
  return false;
}

std::string device_without_code() {
  for (const DriverDevice& device : devices_of_driver()) {
    if (!has_code_for(device.capability, assay_compiled_code)) return no_code_for(device);
  }
  return "";
}

}  // namespace assay::cuda
