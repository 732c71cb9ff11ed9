// Whether there is a CUDA device to work on, and if not, why not.
#pragma once

#include <cstdint>
#include <string>

namespace assay::cuda {

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
  std::string sentence;  ///< for people: one, with the versions that matter
  int count = 0;         ///< of devices that can be used; 0 for every kind but kAvailable
};

/// Asks the driver; makes a context on the first device, which is the only way to know that it can
/// be used. Leaves no error behind.
Availability find_devices();

/// Prints the sentence. 0 where there is a device, 77 where there is none: an exit status.
int say_devices();

}  // namespace assay::cuda
