// What devices a program has code for, by the names that CMake gives architectures.
#pragma once

#include <string>
#include <string_view>

namespace assay::cuda {

/// A device's compute capability: 9.0 has the major number 9 and the minor number 0.
struct Capability {
  int major = 0;
  int minor = 0;
};

/// Whether a device can run what was compiled for `architectures`, such as "75-virtual;90-real":
/// code runs on devices of its own major number and no lower minor one, PTX (virtual) on all that
/// are as new or newer. True for a name that says nothing of a device, such as "all".
bool has_code_for(Capability device, std::string_view architectures);

/// In one sentence, the first device of the driver that this program has no code for, and what to
/// do; empty where there is none, or no driver.
std::string device_without_code();

}  // namespace assay::cuda
