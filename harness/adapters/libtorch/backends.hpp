// Backends for device types without hardware, on which PyTorch's guards, streams and events can be
// tested.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <string>
#include <vector>

namespace assay::libtorch {

/// Registers a backend with PyTorch until `remove_backends`. `kind` is `logging`, `bare`, or
/// `fake`, which is PyTorch's own. Throws NotSupported.
void add_backend(c10::DeviceType type, const std::string& kind, int devices);
/// Restores PyTorch's own backends.
void remove_backends();

/// The calls of logging backends since the last call, from all threads.
std::vector<std::string> take_backend_log();

/// The registered backend as a template argument, for PyTorch's guards for a single device
/// type.
template <c10::DeviceType kType>
class StaticBackend final {
 public:
  static constexpr c10::DeviceType static_type = kType;
  StaticBackend() = default;
  explicit StaticBackend(c10::DeviceType) {}

  c10::DeviceType type() const { return kType; }
  c10::Device exchangeDevice(c10::Device device) const { return of()->exchangeDevice(device); }
  c10::Device getDevice() const { return of()->getDevice(); }
  void setDevice(c10::Device device) const { of()->setDevice(device); }
  void uncheckedSetDevice(c10::Device device) const noexcept { of()->uncheckedSetDevice(device); }

 private:
  static const c10::impl::DeviceGuardImplInterface* of() {
    return c10::impl::getDeviceGuardImpl(kType);
  }
};

}  // namespace assay::libtorch
