// Implements Python's functions for CUDA streams and events, and its context managers.
#include "reference/runtime/python_stream.hpp"

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/guard_backend.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/runtime/streams/stream.hpp"

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

// Context managers.

namespace {

int cuda_index_of(Runtime& runtime, Device device) {
  check(device.is_cuda(), ErrorKind::kValue,
        [&] { return "Expected a cuda device, but got: " + to_text(device); });
  return device.index == -1 ? cuda_current_device(runtime) : device.index;
}

}  // namespace

PythonDeviceContext::PythonDeviceContext(Runtime& runtime, Device device)
    : runtime_(runtime), index_(cuda_index_of(runtime, device)) {}

void PythonDeviceContext::enter_strictly() {
  befores_.push_back(cuda_exchange_device(runtime_, index_));
}

void PythonDeviceContext::exit_strictly() {
  cuda_restore_device(runtime_, befores_.back());
  befores_.pop_back();
}

void PythonDeviceContext::enter() {
  if (index_ < 0) return;
  if (runtime_.contract().strict()) return enter_strictly();
  before_ = cuda_exchange_device(runtime_, index_);
}

/// [DEV] of GRD-029: 1.13 restores only if it changed the device; later releases store the saved
/// device in the object.
void PythonDeviceContext::exit() {
  if (index_ < 0) return;
  if (runtime_.contract().strict()) {
    return exit_strictly();
  }
  if (runtime_.contract().release == Release::k1_13) {
    if (before_ != index_) cuda_set_device(runtime_, before_);
    return;
  }
  index_ = cuda_current_device(runtime_);
  cuda_restore_device(runtime_, before_);
}

void PythonStreamContext::enter() {
  if (!stream_) return;
  Saved saved{current_stream(runtime_), {}};
  if (!(saved.source.device == stream_->device)) {
    saved.target = current_stream(runtime_, stream_->device.index);
  }
  // PyTorch's object stores a single entry, which a second one overwrites.
  if (!runtime_.contract().strict() && !saved_.empty()) saved_.back() = saved;
  saved_.push_back(saved);
  python_set_stream(runtime_, stream_);
}

void PythonStreamContext::exit() {
  if (!stream_) return;
  const Saved saved = saved_.back();
  saved_.pop_back();
  if (saved.target) python_set_stream(runtime_, saved.target);
  python_set_stream(runtime_, saved.source);
}

}  // namespace assay::reference
