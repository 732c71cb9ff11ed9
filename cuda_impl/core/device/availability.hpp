// Reports whether a CUDA device is usable and, if not, why: the devices that this program contains
// code for, by CMake's architecture names, and those that the driver reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cuda {

/// The compute capability of a device: 9.0 is major 9, minor 0.
struct Capability {
  int major = 0;
  int minor = 0;
};

/// Can a device run code compiled for `architectures`, such as "75-virtual;90-real"? Real code runs
/// on devices of the same major and no lower minor version; PTX (virtual) on any device that is not
/// older. True for names without a version, such as "all".
bool has_code_for(Capability device, std::string_view architectures);

/// Describes in one sentence the first device that the program has no code for, and the remedy.
/// Empty if there is no such device or no driver.
std::string device_without_code();

// Queried without the CUDA runtime.

struct DriverDevice {
  int index = 0;
  std::string name;
  Capability capability;
};

/// Returns the devices visible through CUDA_VISIBLE_DEVICES; none without a working driver.
std::vector<DriverDevice> devices_of_driver();

struct Availability {
  enum class Kind : std::uint8_t {
    kAvailable,
    kNoDriver,
    kDriverTooOld,
    kNoDevice,
    kNoCode,
    kUnusable
  };

  Kind kind = Kind::kNoDriver;
  std::string sentence;  ///< one sentence for the user, with the relevant versions
  int count = 0;         ///< number of usable devices; 0 unless kAvailable
};

/// Queries the driver and creates a context on the first device, which is the only proof that it is
/// usable. Leaves no error in the runtime's error register.
Availability find_devices();

/// Prints the sentence. Returns an exit status: 0 if there is a usable device, otherwise 77.
int say_devices();

}  // namespace assay::cuda
