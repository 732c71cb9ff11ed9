// Private pools: where the allocations of a capturing stream come from (MEM-023).
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

bool DeviceAllocator::is_capturing(const StreamTag& stream) {
  if (!driver_.is_capturing()) return false;
  const ScopedDevice scope(runtime_, stream.device);
  CaptureStatus status = CaptureStatus::kNone;
  cuda_check(runtime_, driver_.capture_status(stream.handle, status));
  return status == CaptureStatus::kActive;
}

std::shared_ptr<PrivatePool> DeviceAllocator::capture_pool(const StreamTag& stream) {
  const Lock lock(mutex_);
  auto pool = std::make_shared<PrivatePool>();
  pool->stream = stream;
  private_pools_.push_back(pool);
  return pool;
}

void DeviceAllocator::release_pool(PrivatePool& pool) {
  const Lock lock(mutex_);
  pool.is_held = false;
}

std::uint64_t DeviceAllocator::bytes_in_private_pools() const {
  std::uint64_t bytes = 0;
  for (const auto& [block, owned] : blocks_) {
    if (block->segment->pool->owner != nullptr && block->is_allocated) bytes += block->size;
  }
  return bytes;
}

}  // namespace assay::reference
