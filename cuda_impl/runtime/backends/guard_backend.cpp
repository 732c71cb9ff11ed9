// The default implementations, which raise for unsupported features (GRD-026).
#include "cuda_impl/runtime/backends/guard_backend.hpp"

#include <string>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

[[noreturn]] void lacks(const std::string& what) { throw Error("Backend doesn't support " + what); }

}  // namespace

Stream GuardBackend::default_stream(Device) { lacks("acquiring a default stream."); }
Stream GuardBackend::pool_stream(Device, bool) { lacks("acquiring a stream from pool."); }
Stream GuardBackend::new_stream(Device, int) { lacks("create a new Stream."); }
EventHandle GuardBackend::record(const EventState&, const Stream&) { lacks("events."); }
void GuardBackend::block(EventHandle, const Stream&) { lacks("events."); }
bool GuardBackend::query_event(EventHandle) { lacks("events."); }
void GuardBackend::synchronize_event(EventHandle) { lacks("synchronizing events."); }
void GuardBackend::destroy_event(EventHandle, int) noexcept {}
double GuardBackend::elapsed_ms(EventHandle, EventHandle, int) { lacks("elapsedTime."); }
bool GuardBackend::query_stream(const Stream&) { lacks("querying streams."); }
void GuardBackend::synchronize_stream(const Stream&) { lacks("synchronizing streams."); }
void GuardBackend::synchronize_device(int) { lacks("synchronizing all streams on device."); }

}  // namespace assay::cuda
