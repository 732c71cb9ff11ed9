// Area runtime: devices, and the current device.
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/backends/backend_registry.hpp"
#include "cuda_impl/runtime/driver_state.hpp"
#include "cuda_impl/runtime/python.hpp"
#include "cuda_impl/runtime/sync_debug.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

void give_device(Call& call, Device device) {
  call.result(Value(to_waist(device, call.release())));
}

GuardBackend& backend_for(Device device) { return backend_of(device.kind); }

int cuda_count() { return home().is_cuda() ? Session::cuda_devices() : 0; }

}  // namespace

void runtime_device_count(Call& call) {
  const bool is_other = call.has("type") && call.arguments().text("type") != "cuda";
  const bool must_be_some = call.arguments().boolean("ensure", false);
  const int count =
      is_other ? backend_of(kind_argument(call, "type")).device_count() : cuda_count();
  require(count > 0 || !must_be_some, [] { return why_no_device(); });  // GRD-028
  call.result(Value(count));
}

void runtime_get_device(Call& call) {
  give_device(call, backend_of(kind_argument(call, "type")).get_device());
}

void runtime_exchange_device(Call& call) {
  const Device device = call.device_as_given("device");
  give_device(call, backend_for(device).exchange_device(device));
}

void runtime_set_device(Call& call) {
  const Device device = call.device_as_given("device");
  GuardBackend& backend = backend_for(device);
  if (call.arguments().boolean("unchecked", false)) {
    backend.unchecked_set_device(device);
  } else {
    backend.set_device(device);
  }
}

void runtime_synchronize_device(Call& call) {
  const Device device = device_or_cuda(call);
  backend_for(device).synchronize_device(device.index);
}

void runtime_can_access_peer(Call& call) {
  const Device device = call.device_as_given("device");
  call.result(Value(python_can_access_peer(device, call.device_as_given("peer"))));
}

void runtime_sync_debug_mode(Call& call) {
  const std::string mode = call.arguments().text("mode");
  if (mode == "default") return set_sync_debug_mode(SyncDebugMode::kDefault);
  if (mode == "warn") return set_sync_debug_mode(SyncDebugMode::kWarn);
  if (mode == "error") return set_sync_debug_mode(SyncDebugMode::kError);
  throw InvalidArgument("runtime.sync_debug_mode: there is no mode '" + mode + "'");
}

}  // namespace assay::cuda
