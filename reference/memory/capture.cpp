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

std::shared_ptr<PrivatePool> DeviceAllocator::shared_pool(const std::shared_ptr<PrivatePool>& pool,
                                                          const StreamTag& stream) {
  if (pool == nullptr || pool->holders == 0) return capture_pool(stream);
  const Lock lock(mutex_);
  ++pool->holders;
  pool->stream = stream;
  // The last one of a stream serves its capture.
  std::erase(private_pools_, pool);
  private_pools_.push_back(pool);
  return pool;
}

void DeviceAllocator::release_pool(PrivatePool& pool) {
  const Lock lock(mutex_);
  if (pool.holders > 0) --pool.holders;
}

std::uint64_t DeviceAllocator::bytes_in_private_pools() const {
  std::uint64_t bytes = 0;
  for (const auto& [block, owned] : blocks_) {
    if (block->segment->pool->owner != nullptr && block->is_allocated) bytes += block->size;
  }
  return bytes;
}

}  // namespace assay::reference
