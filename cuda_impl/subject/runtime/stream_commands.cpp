// Area runtime: creating streams, the current stream, and captures.
#include "cuda_impl/runtime/backends/backend_registry.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"
#include "cuda_impl/subject/runtime/capture_mode.hpp"

namespace assay::cuda {
namespace {

void default_stream_of(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_of(device.kind).default_stream(device));
}

void current_stream_of(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_of(device.kind).get_stream(device));
}

void set_current(Call& call) {
  const Stream stream = stream_argument(call);
  backend_of(stream.device.kind).set_stream(stream);
}

void exchange(Call& call) {
  const Stream stream = stream_argument(call);
  give_stream(call, backend_of(stream.device.kind).exchange_stream(stream));
}

Stream without_capture(Call& call, int index) {
  if (call.release() != Release::k2_11) {
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

void pool_stream(Call& call) { give_stream(call, from_pool(call)); }

void new_stream(Call& call) {
  if (call.release() == Release::k1_13) throw NotSupported("1.13 has no hook for new streams");
  const Device device = call.device_as_given("device");
  const int priority = int_argument(call, "priority", 0);
  give_stream(call, backend_of(device.kind).new_stream(device, priority));
}

void raw_stream(Call& call) {
  const Stream made = create_raw_stream({.device = device_or_cuda(call).index,
                                         .is_blocking = call.arguments().boolean("blocking", false),
                                         .priority = int_argument(call, "priority", 0)});
  give_stream(call, made);
  call.set("handle", made.id);
}

void destroy_raw(Call& call) { destroy_raw_stream(stream_argument(call)); }

void external(Call& call) {
  const std::int64_t handle = call.arguments().integer("handle");
  give_stream(call, external_stream(handle, call.device_as_given("device")));
}

void wrap(Call& call) {
  const bool is_checked = !call.arguments().boolean("unchecked", false);
  give_stream(call, as_cuda_stream(stream_argument(call), is_checked));
}

void capture_begin(Call& call) { begin_capture(stream_argument(call), capture_mode(call)); }
void capture_end(Call& call) { end_capture(stream_argument(call)); }

void capture_status_of(Call& call) {
  switch (capture_status(stream_argument(call))) {
    case CaptureStatus::kNone:
      return call.result(Value("none"));
    case CaptureStatus::kActive:
      return call.result(Value("active"));
    case CaptureStatus::kInvalidated:
      return call.result(Value("invalidated"));
  }
}

}  // namespace

void add_runtime_stream_commands(CommandTable& table) {
  table.add("runtime.default_stream", default_stream_of);
  table.add("runtime.current_stream", current_stream_of);
  table.add("runtime.set_current_stream", set_current);
  table.add("runtime.exchange_stream", exchange);
  table.add("runtime.pool_stream", pool_stream);
  table.add("runtime.new_stream", new_stream);
  table.add("runtime.raw_stream", raw_stream);
  table.add("runtime.destroy_raw_stream", destroy_raw);
  table.add("runtime.external_stream", external);
  table.add("runtime.wrap", wrap);
  table.add("runtime.capture_begin", capture_begin);
  table.add("runtime.capture_end", capture_end);
  table.add("runtime.capture_status", capture_status_of);
}

}  // namespace assay::cuda
