// A backend for tests that logs each call.
#include "reference/runtime/backends/logging.hpp"

#include "reference/runtime/logs.hpp"

namespace assay::reference {
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
