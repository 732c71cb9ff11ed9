// Implements Python's functions for CUDA streams and events.
#include "reference/runtime/python_stream.hpp"

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/registry.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/runtime/streams/value.hpp"

namespace assay::reference {
namespace {

bool names_one(const PythonStreamCall& call) {
  return call.stream_id != 0 || call.device_index != 0 || call.device_type != 0;
}

Stream rebuilt(Runtime& runtime, const PythonStreamCall& call) {
  return stream_of({call.stream_id, call.device_index, call.device_type},
                   runtime.contract().release);
}

/// 1.13 had two priorities: every negative number was high (STR-016).
Stream from_pool(Runtime& runtime, int priority, int device) {
  if (runtime.contract().release != Release::k1_13) {
    return stream_from_pool(runtime, priority, device);
  }
  return stream_from_pool(runtime, priority < 0, device);
}

int index_of(Runtime& runtime, const std::optional<Device>& device) {
  const int index = device ? device->index : -1;
  return index == -1 ? cuda_current_device(runtime) : index;
}

template <typename AnyEvent>
void record_and_wait(AnyEvent event, const Stream& stream, const Stream& other) {
  event.record(other);
  event.block(stream);
}

}  // namespace

Stream python_stream(Runtime& runtime, const PythonStreamCall& call) {
  const bool is_external = call.handle != 0;
  check(!is_external || call.priority == 0,
        [] { return "Priority was explicitly set for a external stream"; });
  if (names_one(call)) return cuda_stream(rebuilt(runtime, call), true);
  const int index = index_of(runtime, call.device);
  const OnCudaDevice on(runtime, index);
  if (is_external) return external_stream(call.handle, cuda_device(index));
  return from_pool(runtime, call.priority, index);
}

Stream python_generic_stream(Runtime& runtime, const PythonStreamCall& call) {
  if (names_one(call)) return rebuilt(runtime, call);
  const Device device = call.device.value_or(runtime.home());
  return backend_of(runtime, device.type)->new_stream(device, call.priority);
}

bool are_equal(const Stream& a, StreamClass of_a, const Stream& b, StreamClass of_b) {
  const bool are_of_two = of_a != StreamClass::kAny && of_b != StreamClass::kAny && of_a != of_b;
  return a == b && !are_of_two;
}

bool waits_for_cuda_events(const Contract& contract, StreamClass of_stream) {
  // [DEV] of EVT-028: in PyTorch, a torch.Stream ignores an event of torch.cuda.
  const bool ignores = !contract.strict() && contract.at_least(Release::k2_11);
  return of_stream != StreamClass::kTorch || !ignores;
}

void python_set_stream(Runtime& runtime, const std::optional<Stream>& stream) {
  if (!stream) return;
  const Stream next = cuda_stream(*stream, true);
  if (cuda_current_device(runtime) != next.device.index) {
    cuda_set_device(runtime, next.device.index);
  }
  set_current_stream(runtime, next);
}

unsigned python_event_flags(const PythonEventCall& call) {
  unsigned flags = (call.blocking ? 1u : 0u) | (call.timing ? 0u : 2u);
  flags |= call.interprocess ? 4u : 0u;
  return flags | (call.external ? kExternalEvent : 0u);
}

bool python_event_times(Release release) { return release == Release::k2_4; }

void wait_stream(Runtime& runtime, const Stream& stream, const Stream& other) {
  if (other.device.is_cuda()) {
    record_and_wait(CudaEvent(runtime), stream, other);
  } else {
    record_and_wait(Event(runtime, other.device.type, EventFlag::kPytorchDefault), stream, other);
  }
}

}  // namespace assay::reference
