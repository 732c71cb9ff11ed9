// Going to a device for some calls of the driver, and back.
#pragma once

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Makes a device current for as long as it lives; calls the driver only where that changes
/// something.
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
