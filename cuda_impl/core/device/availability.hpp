// Reports whether a CUDA device is usable and, if not, why.
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
  std::string sentence;  ///< one sentence for the user, with the relevant versions
  int count = 0;         ///< number of usable devices; 0 unless kAvailable
};

/// Queries the driver and creates a context on the first device, which is the only proof that it is
/// usable. Leaves no error in the runtime's error register.
Availability find_devices();

/// Prints the sentence. Returns an exit status: 0 if there is a usable device, otherwise 77.
int say_devices();

}  // namespace assay::cuda
