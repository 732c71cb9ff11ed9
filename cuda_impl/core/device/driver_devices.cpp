// Loads the driver library and queries its devices.
#include "cuda_impl/core/device/driver_devices.hpp"

#include <dlfcn.h>

#include <array>

namespace assay::cuda {
namespace {

constexpr int kMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR

/// Functions of libcuda.so.1. The library is never unloaded, since the CUDA runtime uses it too.
struct Driver {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

  template <typename... Arguments>
  bool call(const char* name, Arguments... arguments) const {
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
    return function != nullptr && function(arguments...) == 0;
  }
};

DriverDevice device_at(const Driver& driver, int index) {
  DriverDevice made;
  made.index = index;
  int device = 0;
  std::array<char, 256> name{};
  if (!driver.call("cuDeviceGet", &device, index)) return made;
  driver.call("cuDeviceGetName", name.data(), static_cast<int>(name.size()) - 1, device);
  made.name = name.data();
  driver.call("cuDeviceGetAttribute", &made.capability.major, kMajor, device);
  driver.call("cuDeviceGetAttribute", &made.capability.minor, kMinor, device);
  return made;
}

}  // namespace

std::vector<DriverDevice> devices_of_driver() {
  const Driver driver;
  int count = 0;
  if (driver.library == nullptr || !driver.call("cuInit", 0U)) return {};
  if (!driver.call("cuDeviceGetCount", &count)) return {};
  std::vector<DriverDevice> devices;
  for (int i = 0; i < count; ++i) devices.push_back(device_at(driver, i));
  return devices;
}

}  // namespace assay::cuda
