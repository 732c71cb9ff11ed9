// What a backend answers that lacks an ability (GRD-026).
#include "reference/runtime/guard_backend.hpp"

#include <string>

#include "reference/core/error.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

[[noreturn]] void lacks(const char* ability) {
  if (fault("lacking_ability_is_not_named")) throw Error("this backend cannot do that");
  throw Error("Backend doesn't support " + std::string(ability) + ".");
}

}  // namespace

Stream GuardBackend::default_stream(Device device) {
  if (fault("bare_backend_has_a_default_stream")) return {device, 0};
  lacks("acquiring a default stream");
}
Stream GuardBackend::pool_stream(Device, bool) { lacks("acquiring a stream from pool"); }
Stream GuardBackend::new_stream(Device, int) { lacks("create a new Stream"); }

void GuardBackend::record(EventHandle&, const Stream&, const EventBefore&) { lacks("events"); }
void GuardBackend::block(EventHandle, const Stream&) { lacks("events"); }
bool GuardBackend::query_event(EventHandle) { lacks("events"); }
void GuardBackend::sync_event(EventHandle) { lacks("synchronizing events"); }
void GuardBackend::destroy_event(EventHandle, int) noexcept {}
double GuardBackend::elapsed_ms(EventHandle, EventHandle, int) { lacks("elapsedTime"); }

bool GuardBackend::query_stream(const Stream&) {
  if (fault("bare_backend_is_always_ready")) return true;
  lacks("querying streams");
}
void GuardBackend::sync_stream(const Stream&) { lacks("synchronizing streams"); }
void GuardBackend::sync_device(int) { lacks("synchronizing all streams on device"); }

void check_type(const GuardBackend& backend, Device device) {
  check(device.type == backend.type() || fault("backend_takes_any_type"), ErrorKind::kInternal,
        [&] {
          return "a device of the type " + std::string(name_of(backend.type())) +
                 " was expected, not " + to_text(device);
        });
}

}  // namespace assay::reference
