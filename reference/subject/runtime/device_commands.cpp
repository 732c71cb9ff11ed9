// Area runtime: the device count and the current device.
#include "reference/runtime/backends/registry.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

void give_device(Call& call, Device device) {
  call.result(Value(to_protocol(call.runtime(), device)));
}

}  // namespace

void runtime_device_count(Call& call) {
  const DeviceType type = device_type_argument(call, call.arguments().text("type", "cuda"));
  const bool ensure = call.arguments().boolean("ensure", false);
  if (type != DeviceType::kCuda) {
    return call.result(Value(backend_of(call.runtime(), type)->device_count()));
  }
  call.result(Value(ensure ? cuda_device_count_ensured(call.runtime())
                           : cuda_device_count(call.runtime())));
}

void runtime_get_device(Call& call) {
  const DeviceType type = device_type_argument(call, call.arguments().text("type"));
  give_device(call, backend_of(call.runtime(), type)->get_device());
}

void runtime_exchange_device(Call& call) {
  const Device device = call.device("device");
  give_device(call, backend_of(call.runtime(), device.type)->exchange_device(device));
}

void runtime_set_device(Call& call) {
  const Device device = call.device("device");
  const BackendRef backend = backend_of(call.runtime(), device.type);
  if (call.arguments().boolean("unchecked", false)) return backend->unchecked_set_device(device);
  backend->set_device(device);
}

void runtime_synchronize_device(Call& call) {
  const Device device = device_or_cuda(call);
  backend_of(call.runtime(), device.type)->sync_device(device.index);
}

void runtime_can_access_peer(Call& call) {
  call.result(
      Value(cuda_can_access_peer(call.runtime(), call.device("device"), call.device("peer"))));
}

void runtime_sync_debug_mode(Call& call) {
  const std::string mode = call.arguments().text("mode");
  if (mode == "default") return set_sync_debug_mode(call.runtime(), SyncDebugMode::kDefault);
  if (mode == "warn") return set_sync_debug_mode(call.runtime(), SyncDebugMode::kWarn);
  if (mode == "error") return set_sync_debug_mode(call.runtime(), SyncDebugMode::kError);
  throw InvalidArgument("mode must be default, warn or error, not '" + mode + "'");
}

}  // namespace assay::reference
