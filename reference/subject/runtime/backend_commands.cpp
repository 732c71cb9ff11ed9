// Area runtime: backends of other types of device.
#include "reference/runtime/backends/logging.hpp"
#include "reference/runtime/backends/registry.hpp"
#include "reference/subject/runtime/arguments.hpp"
#include "reference/subject/runtime/commands.hpp"

namespace assay::reference {
namespace {

BackendRef made(Call& call, DeviceType type, int devices) {
  const std::string kind = call.arguments().text("kind", "logging");
  if (kind == "logging") return std::make_shared<LoggingBackend>(call.runtime(), type, devices);
  if (kind == "fake") return std::make_shared<FakeBackend>(call.runtime(), type, devices);
  if (kind == "bare") return std::make_shared<BareBackend>(call.runtime(), type, devices);
  throw InvalidArgument("there is no kind '" + kind + "' of backends");
}

void backend(Call& call) {
  const DeviceType type = device_type_argument(call, call.arguments().text("type"));
  const int devices = call.arguments().int32("devices", 8);
  register_backend(call.runtime(), made(call, type, devices));
}

void has(Call& call) {
  const DeviceType type = device_type_argument(call, call.arguments().text("type"));
  call.result(Value(has_backend(call.runtime(), type)));
}

}  // namespace

void add_runtime_backend_commands(CommandTable& table) {
  table.add("runtime.backend", backend);
  table.add("runtime.has_backend", has);
}

}  // namespace assay::reference
