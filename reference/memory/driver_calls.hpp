// A scope with another current device.
#pragma once

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Makes a device current for the scope; calls
/// the driver only if the device differs.
class ScopedDevice {
 public:
  ScopedDevice(Runtime& runtime, int device);
  ~ScopedDevice();
  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice& operator=(const ScopedDevice&) = delete;

 private:
  Runtime& runtime_;
  int before_;
  bool is_changed_;
};

}  // namespace assay::reference
