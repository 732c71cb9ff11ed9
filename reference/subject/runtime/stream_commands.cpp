// Area runtime: creating streams and setting the current one.
#include "reference/runtime/backends/registry.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

BackendRef backend_for(Call& call, Device device) {
  return backend_of(call.runtime(), device.type);
}

int priority_argument(Call& call) { return call.arguments().int32("priority", 0); }

}  // namespace

void runtime_default_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_for(call, device)->default_stream(device));
}

void runtime_current_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_for(call, device)->get_stream(device));
}

void runtime_set_current_stream(Call& call) {
  const Stream stream = stream_argument(call);
  backend_for(call, stream.device)->set_stream(stream);
}

void runtime_exchange_stream(Call& call) {
  const Stream stream = stream_argument(call);
  give_stream(call, backend_for(call, stream.device)->exchange_stream(stream));
}

void runtime_pool_stream(Call& call) {
  const Device device = device_or_cuda(call);
  const BackendRef backend = backend_for(call, device);
  if (call.arguments().boolean("non_capturing", false)) {
    if (call.contract().release < Release::k2_11) {
      throw NotSupported("this release has no getter that avoids captures");
    }
    return give_stream(call, non_capturing_stream_from_pool(call.runtime(), priority_argument(call),
                                                            device.index));
  }
  if (device.is_cuda() && call.has("priority")) {
    return give_stream(call,
                       stream_from_pool(call.runtime(), priority_argument(call), device.index));
  }
  give_stream(call, backend->pool_stream(device, call.arguments().boolean("high", false)));
}

void runtime_new_stream(Call& call) {
  if (call.contract().release == Release::k1_13) {
    throw NotSupported("1.13 has no hook for new streams");
  }
  const Device device = call.device("device");
  give_stream(call, backend_for(call, device)->new_stream(device, priority_argument(call)));
}

void runtime_raw_stream(Call& call) {
  const Device device = device_or_cuda(call);
  const bool is_blocking = call.arguments().boolean("blocking", false);
  const Stream made =
      create_raw_stream(call.runtime(), device.index, is_blocking, priority_argument(call));
  give_stream(call, made);
  call.set("handle", made.id);
}

void runtime_destroy_raw_stream(Call& call) {
  destroy_raw_stream(call.runtime(), stream_argument(call));
}

void runtime_external_stream(Call& call) {
  const auto handle = static_cast<StreamHandle>(call.arguments().integer("handle"));
  give_stream(call, external_stream(handle, call.device("device")));
}

void runtime_wrap(Call& call) {
  const bool is_checked = !call.arguments().boolean("unchecked", false);
  give_stream(call, cuda_stream(stream_argument(call), is_checked));
}

void runtime_priority(Call& call) {
  call.result(Value(priority_of(call.runtime(), stream_argument(call))));
}

void runtime_priority_range(Call& call) {
  const auto [least, greatest] = pool_priority_range(call.runtime());
  call.set("least", least);
  call.set("greatest", greatest);
}

}  // namespace assay::reference
