// Area runtime: creating streams, the current stream, and captures.
#include "cuda_impl/runtime/backends/backend_registry.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"
#include "cuda_impl/subject/runtime/capture_mode.hpp"

namespace assay::cuda {
namespace {

Stream without_capture(Call& call, int index) {
  if (call.release() < Release::k2_11) {
    throw NotSupported("this release hands out streams that capture as well");
  }
  return non_capturing_stream_from_pool(int_argument(call, "priority", 0), index);
}

Stream from_pool(Call& call) {
  const Device device = device_or_cuda(call);
  GuardBackend& backend = backend_of(device.kind);
  if (call.arguments().boolean("non_capturing", false)) return without_capture(call, device.index);
  const bool is_high = call.arguments().boolean("high", false);
  if (!device.is_cuda() || !call.has("priority")) return backend.pool_stream(device, is_high);
  return stream_from_pool(int_argument(call, "priority", 0), device.index);
}

}  // namespace

void runtime_default_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_of(device.kind).default_stream(device));
}

void runtime_current_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_of(device.kind).get_stream(device));
}

void runtime_set_current_stream(Call& call) {
  const Stream stream = stream_argument(call);
  backend_of(stream.device.kind).set_stream(stream);
}

void runtime_exchange_stream(Call& call) {
  const Stream stream = stream_argument(call);
  give_stream(call, backend_of(stream.device.kind).exchange_stream(stream));
}

void runtime_pool_stream(Call& call) { give_stream(call, from_pool(call)); }

void runtime_new_stream(Call& call) {
  if (call.release() == Release::k1_13) throw NotSupported("1.13 has no hook for new streams");
  const Device device = call.device_as_given("device");
  const int priority = int_argument(call, "priority", 0);
  give_stream(call, backend_of(device.kind).new_stream(device, priority));
}

void runtime_raw_stream(Call& call) {
  const Stream made = create_raw_stream({.device = device_or_cuda(call).index,
                                         .is_blocking = call.arguments().boolean("blocking", false),
                                         .priority = int_argument(call, "priority", 0)});
  give_stream(call, made);
  call.set("handle", made.id);
}

void runtime_destroy_raw_stream(Call& call) { destroy_raw_stream(stream_argument(call)); }

void runtime_external_stream(Call& call) {
  const std::int64_t handle = call.arguments().integer("handle");
  give_stream(call, external_stream(handle, call.device_as_given("device")));
}

void runtime_wrap(Call& call) {
  const bool is_checked = !call.arguments().boolean("unchecked", false);
  give_stream(call, as_cuda_stream(stream_argument(call), is_checked));
}

void runtime_capture_begin(Call& call) { begin_capture(stream_argument(call), capture_mode(call)); }
void runtime_capture_end(Call& call) { end_capture(stream_argument(call)); }

void runtime_capture_status(Call& call) {
  switch (capture_status(stream_argument(call))) {
    case CaptureStatus::kNone:
      return call.result(Value("none"));
    case CaptureStatus::kActive:
      return call.result(Value("active"));
    case CaptureStatus::kInvalidated:
      return call.result(Value("invalidated"));
  }
}

}  // namespace assay::cuda
