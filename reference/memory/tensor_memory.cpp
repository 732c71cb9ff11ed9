// Allocates and frees the blocks of storages.
#include "reference/memory/tensor_memory.hpp"

#include "reference/core/types/device_hooks.hpp"
#include "reference/memory/host_pool.hpp"
#include "reference/runtime/work.hpp"

namespace assay::reference {
namespace {

constexpr std::size_t kExabyte = std::size_t{1} << 60;

/// Lives until the runtime is reset.
struct Session {
  std::shared_ptr<const int> token = std::make_shared<const int>(0);
};

std::weak_ptr<const int> session_of(Runtime& runtime) { return runtime.shared<Session>().token; }

/// Whether the runtime was reset: then the session's token has expired, and the allocators with
/// their blocks are gone. The runtime itself may be gone, too.
bool is_over(Runtime& runtime, const std::weak_ptr<const int>& session) {
  const auto token = session.lock();
  return token == nullptr || token != runtime.shared<Session>().token;
}

/// For destructors (FLT-008): a failure becomes a warning.
template <typename Function>
void warn_of_failure(Runtime& runtime, const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    const std::string prefix = "CUDA error: ";
    const bool is_device = error.message().starts_with(prefix);
    const std::size_t skipped = is_device ? prefix.size() : 0;
    runtime.warn("UserWarning", "CUDA warning: " + error.message().substr(skipped));
  }
}

/// Owns a block. After a reset of the runtime, its allocator no longer exists.
class DeviceBlock final : public StorageMemory {
 public:
  DeviceBlock(Runtime& runtime, Address address)
      : runtime_(runtime), session_(session_of(runtime)), address_(address) {}
  ~DeviceBlock() override {
    if (is_over(runtime_, session_)) return;
    warn_of_failure(runtime_, [&] { allocator_of(runtime_).free(address_); });
  }
  DeviceBlock(const DeviceBlock&) = delete;
  DeviceBlock& operator=(const DeviceBlock&) = delete;

  bool is_pinned() const override { return false; }
  void used_by(Device device) override { record(current_stream(runtime_, device.index)); }
  void record(const Stream& stream) { allocator_of(runtime_).record_stream(address_, stream); }

 private:
  Runtime& runtime_;
  std::weak_ptr<const int> session_;
  Address address_;
};

class PinnedBlock final : public StorageMemory {
 public:
  PinnedBlock(Runtime& runtime, Address address)
      : runtime_(runtime), session_(session_of(runtime)), address_(address) {}
  ~PinnedBlock() override {
    if (is_over(runtime_, session_)) return;
    warn_of_failure(runtime_, [&] { host_pool_of(runtime_).free(address_); });
  }
  PinnedBlock(const PinnedBlock&) = delete;
  PinnedBlock& operator=(const PinnedBlock&) = delete;

  bool is_pinned() const override { return true; }
  void used_by(Device device) override {
    host_pool_of(runtime_).record(address_, current_stream(runtime_, device.index));
  }

 private:
  Runtime& runtime_;
  std::weak_ptr<const int> session_;
  Address address_;
};

class CachedTensorMemory final : public TensorMemory {
 public:
  explicit CachedTensorMemory(Runtime& runtime) : runtime_(runtime) {}

  std::unique_ptr<StorageMemory> allocate(Device device, std::size_t size_bytes) override {
    check(size_bytes < kExabyte, ErrorKind::kOutOfMemory,
          [] { return "CUDA out of memory. Tried to allocate more than 1EB memory."; });
    const Stream stream = current_stream(runtime_, device.index);
    const Address address = allocator_of(runtime_).malloc(device.index, size_bytes, stream);
    return std::make_unique<DeviceBlock>(runtime_, address);
  }
  std::unique_ptr<StorageMemory> pin(std::size_t size_bytes) override {
    return std::make_unique<PinnedBlock>(runtime_, host_pool_of(runtime_).allocate(size_bytes));
  }

 private:
  Runtime& runtime_;
};

}  // namespace

void use_devices(Runtime& runtime) {
  use_streams(runtime);
  device_hooks(runtime).memory = std::make_unique<CachedTensorMemory>(runtime);
}

void record_tensor(const Tensor& tensor, const Stream& stream) {
  if (!tensor.defined()) return;
  StorageMemory* memory = memory_of(tensor.impl()->storage);
  if (auto* block = dynamic_cast<DeviceBlock*>(memory)) block->record(stream);
}

}  // namespace assay::reference
