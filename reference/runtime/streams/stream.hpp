// A stream as a value, and which one is current.
#pragma once

#include <cstdint>

#include "reference/core/runtime.hpp"
#include "reference/core/types/device.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// STR-001: nothing but a device and an id. Id 0 is the device's default stream.
struct Stream {
  Device device;
  std::int64_t id = 0;

  bool operator==(const Stream&) const = default;
};

/// What the driver knows it by (STR-012). Raises for an id that is none.
StreamHandle handle_of(Runtime& runtime, const Stream& stream);

/// The calling thread's, on CUDA device `index`, -1 for the current one (STR-018, STR-019).
Stream current_stream(Runtime& runtime, int index = -1);
void set_current_stream(Runtime& runtime, const Stream& stream);

}  // namespace assay::reference
