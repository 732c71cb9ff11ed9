// Backends for tests (GRD-026, GRD-027).
#include "reference/runtime/backends/logging.hpp"

#include <string>

#include "reference/core/types/error.hpp"
#include "reference/runtime/logs.hpp"

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

// The backend that logs each call.

namespace {

std::string number(std::int64_t value) { return std::to_string(value); }
std::string place(const Stream& stream) {
  return number(stream.device.index) + ":" + number(stream.id);
}
std::string null_or_set(EventHandle event) { return event == 0 ? "null" : "set"; }

}  // namespace

void LoggingBackend::log(const std::string& text) {
  log_backend_call(runtime(), std::string(name_of(type())) + "." + text);
}

Device LoggingBackend::exchange_device(Device device) {
  log("exch(" + number(device.index) + ")");
  return BareBackend::exchange_device(device);
}

Device LoggingBackend::get_device() {
  log("get");
  return BareBackend::get_device();
}

void LoggingBackend::set_device(Device device) {
  log("set(" + number(device.index) + ")");
  BareBackend::set_device(device);
}

void LoggingBackend::unchecked_set_device(Device device) noexcept {
  log("uset(" + number(device.index) + ")");
  BareBackend::unchecked_set_device(device);
}

Stream LoggingBackend::get_stream(Device device) {
  log("gs(" + number(device.index) + ")");
  return BareBackend::get_stream(device);
}

Stream LoggingBackend::exchange_stream(const Stream& stream) {
  log("xs(" + place(stream) + ")");
  return BareBackend::exchange_stream(stream);
}

Stream LoggingBackend::default_stream(Device device) {
  log("default(" + number(device.index) + ")");
  return {device, 0};
}

Stream LoggingBackend::pool_stream(Device device, bool is_high) {
  log("pool(" + number(device.index) + (is_high ? ",high)" : ",low)"));
  return {device, ++last_stream_};
}

Stream LoggingBackend::new_stream(Device device, int priority) {
  log("new(" + number(device.index) + "," + number(priority) + ")");
  return {device, ++last_stream_};
}

void LoggingBackend::record(EventHandle& event, const Stream& stream, const EventBefore& before) {
  log("record(" + null_or_set(event) + "," + place(stream) + ",index " +
      number(before.device_index) + ")");
  if (event == 0) event = ++last_event_;
}

void LoggingBackend::block(EventHandle, const Stream& stream) {
  log("block(" + place(stream) + ")");
}

bool LoggingBackend::query_event(EventHandle) {
  log("query");
  return true;
}

void LoggingBackend::sync_event(EventHandle) { log("sync"); }

void LoggingBackend::destroy_event(EventHandle, int device_index) noexcept {
  log("destroy(index " + number(device_index) + ")");
}

double LoggingBackend::elapsed_ms(EventHandle, EventHandle, int device_index) {
  log("elapsed(index " + number(device_index) + ")");
  return 0;
}

bool LoggingBackend::query_stream(const Stream&) {
  log("query");
  return true;
}

void LoggingBackend::sync_stream(const Stream&) { log("sync"); }

void LoggingBackend::sync_device(int index) { log("sync_device(" + number(index) + ")"); }

}  // namespace assay::reference
