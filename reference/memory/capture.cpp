// The private pools of capturing streams (MEM-023).
#include "reference/memory/device_allocator.hpp"

namespace assay::reference {

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
