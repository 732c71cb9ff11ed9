// Stream values, and the current stream.
#pragma once

#include <cstdint>

#include "reference/core/runtime.hpp"
#include "reference/core/types/device.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// STR-001: a device and an id. Id 0 is the device's default stream.
struct Stream {
  Device device;
  std::int64_t id = 0;

  bool operator==(const Stream&) const = default;
};

/// The driver's handle (STR-012). Raises for an invalid id.
StreamHandle handle_of(Runtime& runtime, const Stream& stream);

/// The calling thread's current stream on a CUDA device; -1: the current one (STR-018, STR-019).
Stream current_stream(Runtime& runtime, int index = -1);
void set_current_stream(Runtime& runtime, const Stream& stream);

}  // namespace assay::reference
