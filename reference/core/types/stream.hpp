// A stream as a value: a device and an id.
#pragma once

#include <cstdint>

#include "reference/core/types/device.hpp"

namespace assay::reference {

/// STR-001: a device and an id. Id 0 is the device's default stream.
struct Stream {
  Device device;
  std::int64_t id = 0;

  bool operator==(const Stream&) const = default;
};

}  // namespace assay::reference
