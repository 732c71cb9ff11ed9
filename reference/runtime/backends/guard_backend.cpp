// Default implementations for backends without a feature (GRD-026).
#include "reference/runtime/backends/guard_backend.hpp"

#include <string>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

[[noreturn]] void lacks(const char* ability) {
  throw Error("Backend doesn't support " + std::string(ability) + ".");
}

}  // namespace

Stream GuardBackend::default_stream(Device) { lacks("acquiring a default stream"); }
Stream GuardBackend::pool_stream(Device, bool) { lacks("acquiring a stream from pool"); }
Stream GuardBackend::new_stream(Device, int) { lacks("create a new Stream"); }

void GuardBackend::record(EventHandle&, const Stream&, const EventBefore&) { lacks("events"); }
void GuardBackend::block(EventHandle, const Stream&) { lacks("events"); }
bool GuardBackend::query_event(EventHandle) { lacks("events"); }
void GuardBackend::sync_event(EventHandle) { lacks("synchronizing events"); }
void GuardBackend::destroy_event(EventHandle, int) noexcept {}
double GuardBackend::elapsed_ms(EventHandle, EventHandle, int) { lacks("elapsedTime"); }

bool GuardBackend::query_stream(const Stream&) { lacks("querying streams"); }
void GuardBackend::sync_stream(const Stream&) { lacks("synchronizing streams"); }
void GuardBackend::sync_device(int) { lacks("synchronizing all streams on device"); }

void check_type(const GuardBackend& backend, Device device) {
  check(device.type == backend.type(), ErrorKind::kInternal, [&] {
    return "a device of the type " + std::string(name_of(backend.type())) + " was expected, not " +
           to_text(device);
  });
}

}  // namespace assay::reference
