// The registry of backends (GRD-025).
#include "reference/runtime/backends/registry.hpp"

#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/cuda.hpp"
#include "reference/runtime/backends/noop.hpp"

namespace assay::reference {
namespace {

class Registry {
 public:
  BackendRef get(Runtime& runtime, DeviceType type) {
    const std::scoped_lock lock(mutex_);
    fill(runtime);
    return slot(type);
  }
  void set(Runtime& runtime, BackendRef backend) {
    const std::scoped_lock lock(mutex_);
    fill(runtime);
    BackendRef& place = slot(backend->type());
    place = std::move(backend);
  }

 private:
  BackendRef& slot(DeviceType type) { return slots_[static_cast<std::size_t>(type)]; }

  /// Registers the built-in backends.
  void fill(Runtime& runtime) {
    if (std::exchange(is_filled_, true)) return;
    slot(DeviceType::kCpu) = make_noop_backend(DeviceType::kCpu);
    slot(DeviceType::kMeta) = make_noop_backend(DeviceType::kMeta);
    if (runtime.contract().cuda()) slot(DeviceType::kCuda) = make_cuda_backend(runtime);
  }

  std::mutex mutex_;
  bool is_filled_ = false;
  std::array<BackendRef, kDeviceTypes> slots_;
};

}  // namespace

bool has_backend(Runtime& runtime, DeviceType type) noexcept {
  return runtime.shared<Registry>().get(runtime, type) != nullptr;
}

BackendRef backend_of(Runtime& runtime, DeviceType type) {
  BackendRef found = runtime.shared<Registry>().get(runtime, type);
  check(found != nullptr, [&] {
    return "PyTorch is not linked with support for " +
           std::string(name_of(type, runtime.contract().release)) + " devices";
  });
  return found;
}

void register_backend(Runtime& runtime, BackendRef backend) {
  runtime.shared<Registry>().set(runtime, std::move(backend));
}

}  // namespace assay::reference
