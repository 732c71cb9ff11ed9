// Backends for tests (GRD-026, GRD-027).
#include "reference/runtime/backends/fake.hpp"

#include <string>

#include "reference/core/types/error.hpp"

namespace assay::reference {

void BareBackend::check_index(Device device) const {
  check(device.index < devices_, ErrorKind::kInternal, [&] {
    return to_text(device) + " was asked for, and there are " + std::to_string(devices_);
  });
}

Device BareBackend::exchange_device(Device device) {
  check_type(*this, device);
  check_index(device);
  const Device before = BareBackend::get_device();
  current().device = device.index;
  return before;
}

Device BareBackend::get_device() { return {type_, current().device}; }

void BareBackend::set_device(Device device) {
  check_type(*this, device);
  check(device.index >= 0, ErrorKind::kInternal,
        [&] { return "a device with an index was expected, not " + to_text(device); });
  check_index(device);
  current().device = device.index;
}

void BareBackend::unchecked_set_device(Device device) noexcept { current().device = device.index; }

Stream BareBackend::get_stream(Device device) { return {device, current().streams[device.index]}; }

Stream BareBackend::exchange_stream(const Stream& stream) {
  const Stream before = BareBackend::get_stream(stream.device);
  current().streams[stream.device.index] = stream.id;
  return before;
}

}  // namespace assay::reference
