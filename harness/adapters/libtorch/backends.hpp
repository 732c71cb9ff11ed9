// Backends of devices that no machine of ours has: PyTorch's guards, streams and events work on
// them.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <string>
#include <vector>

namespace assay::libtorch {

/// Registers a backend with PyTorch until `remove_backends`. `kind` is `logging`, `bare`, or
/// `fake`, which is PyTorch's own. Throws NotSupported.
void add_backend(c10::DeviceType type, const std::string& kind, int devices);
/// Those that PyTorch brings are there again.
void remove_backends();

/// What logging backends were asked since the last call, by all threads.
std::vector<std::string> take_backend_log();

/// The registered backend, for guards that are made for one type of device: what PyTorch makes of
/// it is in its templates.
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
