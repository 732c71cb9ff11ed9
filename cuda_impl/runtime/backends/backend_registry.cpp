// One slot for each device type.
#include "cuda_impl/runtime/backends/backend_registry.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/backends/backend_cuda.hpp"
#include "cuda_impl/runtime/backends/backend_host.hpp"

namespace assay::cuda {
namespace {

constexpr std::size_t kTypes = static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1;

/// Never destroyed, because backends are used until the process exits (FLT-017).
struct Registry {
  std::array<std::atomic<GuardBackend*>, kTypes> slots{};
  HostBackend cpu{DeviceKind::kCpu};
  HostBackend meta{DeviceKind::kMeta};
  CudaBackend cuda;
  std::mutex mutex;
  std::vector<std::unique_ptr<GuardBackend>> registered;

  Registry() { put_own_ones(true); }
  std::atomic<GuardBackend*>& slot(DeviceKind type) {
    return slots.at(static_cast<std::size_t>(type));
  }
  void put_own_ones(bool has_cuda) {
    slot(DeviceKind::kCpu) = &cpu;
    slot(DeviceKind::kMeta) = &meta;
    slot(DeviceKind::kCuda) = has_cuda ? &cuda : nullptr;
  }
};

Registry& registry() {
  static auto* const made = new Registry();
  return *made;
}

}  // namespace

GuardBackend& backend_of(DeviceKind type) {
  GuardBackend* const found = registry().slot(type).load(std::memory_order_acquire);
  require(found != nullptr, [&] {
    return "PyTorch is not linked with support for " + std::string(name_of(type, rules().release)) +
           " devices";
  });
  return *found;
}

bool has_backend(DeviceKind type) noexcept { return registry().slot(type).load() != nullptr; }

void register_backend(std::unique_ptr<GuardBackend> backend) {
  const std::scoped_lock lock(registry().mutex);
  registry().slot(backend->type()).store(backend.get(), std::memory_order_release);
  registry().registered.push_back(std::move(backend));
}

void reset_backends(bool has_cuda) {
  const std::scoped_lock lock(registry().mutex);
  for (auto& slot : registry().slots) slot = nullptr;
  registry().put_own_ones(has_cuda);
  registry().registered.clear();
}

}  // namespace assay::cuda
