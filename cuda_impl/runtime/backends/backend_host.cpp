// The host backend: no events.
#include "cuda_impl/runtime/backends/backend_host.hpp"

#include <string>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {

EventHandle HostBackend::record(const EventState&, const Stream&) { refuse_events(); }
void HostBackend::block(EventHandle, const Stream&) { refuse_events(); }
bool HostBackend::query_event(EventHandle) { refuse_events(); }

void HostBackend::refuse_events() const {
  throw Error(std::string(name_of(type())) + " backend doesn't support events.");
}

}  // namespace assay::cuda
