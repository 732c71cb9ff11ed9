// Creates, records and destroys events.
#include "reference/runtime/events/owned_event.hpp"

#include "reference/runtime/failure.hpp"

namespace assay::reference {

OwnedEvent::OwnedEvent(Runtime& runtime) : runtime_(runtime) {
  const auto flags = static_cast<unsigned>(EventFlags::kDisableTiming);
  cuda_check(runtime_, driver_of(runtime_).event_create(handle_, flags));
}

OwnedEvent::~OwnedEvent() {
  if (handle_ != 0) cuda_warn(runtime_, driver_of(runtime_).event_destroy(handle_));
}

void OwnedEvent::record(StreamHandle stream) {
  cuda_check(runtime_, driver_of(runtime_).event_record(handle_, stream));
}

}  // namespace assay::reference
