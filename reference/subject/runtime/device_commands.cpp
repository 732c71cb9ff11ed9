// Area runtime: the device count and the current device, backends of other types of device, the
// error register and error codes.
#include "reference/runtime/backends/guard_backend.hpp"
#include "reference/runtime/backends/logging.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/driver_call.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/subject/call.hpp"
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

// Backends of other types of device.

namespace {

BackendRef made(Call& call, DeviceType type, int devices) {
  const std::string kind = call.arguments().text("kind", "logging");
  if (kind == "logging") return std::make_shared<LoggingBackend>(call.runtime(), type, devices);
  if (kind == "fake") return std::make_shared<FakeBackend>(call.runtime(), type, devices);
  if (kind == "bare") return std::make_shared<BareBackend>(call.runtime(), type, devices);
  throw InvalidArgument("there is no kind '" + kind + "' of backends");
}

}  // namespace

void runtime_backend(Call& call) {
  const DeviceType type = device_type_argument(call, call.arguments().text("type"));
  const int devices = call.arguments().int32("devices", 8);
  register_backend(call.runtime(), made(call, type, devices));
}

void runtime_has_backend(Call& call) {
  const DeviceType type = device_type_argument(call, call.arguments().text("type"));
  call.result(Value(has_backend(call.runtime(), type)));
}

// The error register and error codes.

namespace {

std::uint64_t argument_of(Call& call, const Value& value) {
  if (const auto* number = value.get_if<std::int64_t>()) return static_cast<std::uint64_t>(*number);
  const auto* ref = value.get_if<Ref>();
  const Object object = ref == nullptr ? Object{} : call.names().get(ref->name);
  if (object.is<Stream>()) return handle_of(call.runtime(), *object.as<Stream>());
  if (!object.is<AnyEvent>()) {
    throw InvalidArgument("arguments of the driver are ints, streams and events");
  }
  return std::visit([](const auto& event) { return event.id(); }, object.as<AnyEvent>()->event);
}

void judge(Call& call, Code code, const std::string& how) {
  if (how == "throw") return cuda_check(call.runtime(), code);
  if (how == "warn") return cuda_warn(call.runtime(), code);
  if (how == "ignore") return cuda_ignore(call.runtime(), code);
  if (how != "handled") throw InvalidArgument("how must not be '" + how + "'");
}

}  // namespace

void runtime_last_error(Call& call) {
  call.result(Value(number_of(driver_of(call.runtime()).get_last_error())));
}

void runtime_peek_last_error(Call& call) {
  call.result(Value(number_of(driver_of(call.runtime()).peek_last_error())));
}

void runtime_checked(Call& call) {
  std::vector<std::uint64_t> arguments;
  if (call.has("arguments")) {
    for (const Value& item : call.arguments().items("arguments")) {
      arguments.push_back(argument_of(call, item));
    }
  }
  const std::string how = call.arguments().text("how", "throw");
  const Code code = call_driver(call.runtime(), call.arguments().text("call"), arguments);
  judge(call, code, how);
  call.result(Value(number_of(code)));
}

}  // namespace assay::reference
