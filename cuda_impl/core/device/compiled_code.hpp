// The devices that this program contains code for, by CMake's architecture names.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace assay::cuda
