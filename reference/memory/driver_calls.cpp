// Sets and restores the current device.
#include "reference/memory/driver_calls.hpp"

#include "reference/runtime/failure.hpp"

namespace assay::reference {

ScopedDevice::ScopedDevice(Runtime& runtime, int device)
    : runtime_(runtime),
      before_(runtime.current_device()),
      is_changed_(runtime.current_device() != device) {
  if (is_changed_) cuda_check(runtime, driver_of(runtime).set_device(device));
}

ScopedDevice::~ScopedDevice() {
  if (!is_changed_) return;
  cuda_warn(runtime_, driver_of(runtime_).set_device(before_));
}

}  // namespace assay::reference
