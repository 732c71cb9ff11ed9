// Area runtime: backends of other types of device.
#include "reference/runtime/backends/logging.hpp"
#include "reference/runtime/backends/registry.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
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

}  // namespace assay::reference
