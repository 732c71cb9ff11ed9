// Area runtime: backends of other device types.
#include "cuda_impl/runtime/backends/backend_pretended.hpp"
#include "cuda_impl/runtime/backends/backend_registry.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

std::unique_ptr<GuardBackend> made(Call& call, DeviceKind type, int devices) {
  const std::string kind = call.arguments().text("kind", "logging");
  if (kind == "logging") return std::make_unique<LoggingBackend>(type, devices);
  if (kind == "fake") return std::make_unique<FakeBackend>(type, devices);
  if (kind == "bare") return std::make_unique<BareBackend>(type, devices);
  throw InvalidArgument("runtime.backend: there is no kind '" + kind + "'");
}

}  // namespace

void runtime_backend(Call& call) {
  constexpr int kDevices = 8;
  const DeviceKind type = kind_argument(call, "type");
  register_backend(made(call, type, int_argument(call, "devices", kDevices)));
}

void runtime_has_backend(Call& call) {
  call.result(Value(has_backend(kind_argument(call, "type"))));
}

}  // namespace assay::cuda
