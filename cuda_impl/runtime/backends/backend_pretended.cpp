// Fake devices for tests.
#include "cuda_impl/runtime/backends/backend_pretended.hpp"

#include <atomic>
#include <map>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/process.hpp"

namespace assay::cuda {
namespace {

std::string shown(const Stream& stream) {
  return std::to_string(stream.device.index) + ":" + std::to_string(stream.id);
}

std::string called(const char* name, std::int64_t argument) {
  return std::string(name) + "(" + std::to_string(argument) + ")";
}

}  // namespace

struct BareBackend::ThreadState {
  int device = 0;
  std::map<int, std::int64_t> streams;
};

BareBackend::BareBackend(DeviceKind type, int devices) : GuardBackend(type), devices_(devices) {
  static std::atomic<std::uint64_t> serials{0};
  serial_ = ++serials;
}

BareBackend::ThreadState& BareBackend::thread_state() {
  thread_local std::map<std::uint64_t, ThreadState> mine;
  return mine[serial_];
}

void BareBackend::check(Device device) const {
  require(device.kind == type(), ErrorKind::kInternal,
          [&] { return "this backend is of another type than " + to_text(device); });
  require(device.index >= 0 && device.index < devices_, ErrorKind::kInternal, [&] {
    return "there is no " + to_text(device) + ", only " + std::to_string(devices_) + " devices";
  });
}

Device BareBackend::exchange_device(Device device) {
  require(device.kind == type(), ErrorKind::kInternal,
          [&] { return "this backend is of another type than " + to_text(device); });
  const Device before{type(), thread_state().device};
  if (device.index == -1) return before;
  check(device);
  thread_state().device = device.index;
  return before;
}

Device BareBackend::get_device() { return {type(), thread_state().device}; }

void BareBackend::set_device(Device device) {
  check(device);
  thread_state().device = device.index;
}

void BareBackend::unchecked_set_device(Device device) noexcept {
  try {
    thread_state().device = device.index;
  } catch (...) {
    // Out of memory: keep the present device.
  }
}

Stream BareBackend::get_stream(Device device) {
  const int index = device.index == -1 ? thread_state().device : device.index;
  return {{type(), index}, thread_state().streams[index]};
}

Stream BareBackend::exchange_stream(const Stream& stream) {
  const Stream before = BareBackend::get_stream(stream.device);
  thread_state().streams[before.device.index] = stream.id;
  return before;
}

Stream FakeBackend::default_stream(Device device) {
  return {{type(), device.index == -1 ? thread_state().device : device.index}, 0};
}
Stream FakeBackend::pool_stream(Device device, bool is_high) {
  return {{type(), device.index}, is_high ? 2 : 1};
}
Stream FakeBackend::new_stream(Device device, int) { return {{type(), device.index}, 3}; }

/// Creates nothing.
EventHandle FakeBackend::record(const EventState& event, const Stream&) { return event.handle; }
void FakeBackend::block(EventHandle, const Stream&) {}
bool FakeBackend::query_event(EventHandle) { return true; }
void FakeBackend::synchronize_event(EventHandle) {}
double FakeBackend::elapsed_ms(EventHandle, EventHandle, int) { return 0; }
bool FakeBackend::query_stream(const Stream&) { return true; }
void FakeBackend::synchronize_stream(const Stream&) {}
void FakeBackend::synchronize_device(int) {}

void LoggingBackend::write_log(const std::string& call) const {
  cuda::write_log(LogLevel::kBackend, std::string(name_of(type(), rules().release)) + "." + call);
}

Device LoggingBackend::exchange_device(Device device) {
  write_log(called("exch", device.index));
  return FakeBackend::exchange_device(device);
}
Device LoggingBackend::get_device() {
  write_log("get");
  return FakeBackend::get_device();
}
void LoggingBackend::set_device(Device device) {
  write_log(called("set", device.index));
  FakeBackend::set_device(device);
}
void LoggingBackend::unchecked_set_device(Device device) noexcept {
  try {
    write_log(called("uset", device.index));
  } catch (...) {
    // Out of memory: drop this log line.
  }
  FakeBackend::unchecked_set_device(device);
}
Stream LoggingBackend::get_stream(Device device) {
  write_log(called("gs", device.index));
  return FakeBackend::get_stream(device);
}
Stream LoggingBackend::exchange_stream(const Stream& stream) {
  write_log("xs(" + shown(stream) + ")");
  return BareBackend::exchange_stream(stream);
}
EventHandle LoggingBackend::record(const EventState& event, const Stream& stream) {
  write_log("record(" + std::string(event.handle == nullptr ? "null" : "set") + "," +
            shown(stream) + ",index " + std::to_string(event.device) + ")");
  if (event.handle != nullptr) return event.handle;
  static std::atomic<std::uintptr_t> handles{0};
  return reinterpret_cast<EventHandle>(++handles);
}
void LoggingBackend::block(EventHandle, const Stream& stream) {
  write_log("block(" + shown(stream) + ")");
}
bool LoggingBackend::query_event(EventHandle) {
  write_log("query");
  return true;
}
void LoggingBackend::synchronize_event(EventHandle) { write_log("sync"); }
void LoggingBackend::destroy_event(EventHandle, int device) noexcept {
  try {
    write_log("destroy(index " + std::to_string(device) + ")");
  } catch (...) {
    // Out of memory: drop this log line.
  }
}
bool LoggingBackend::query_stream(const Stream& stream) {
  write_log("query_stream(" + shown(stream) + ")");
  return true;
}
void LoggingBackend::synchronize_stream(const Stream& stream) {
  write_log("sync_stream(" + shown(stream) + ")");
}
void LoggingBackend::synchronize_device(int device) { write_log(called("sync_device", device)); }

}  // namespace assay::cuda
