// Statistics, snapshots and settings of a device allocator.
#include "cuda_impl/memory/device_allocator.hpp"

namespace assay::cuda::memory {
namespace {

BlockState state_of(const Block& block) {
  if (block.is_allocated) return BlockState::kAllocated;
  const bool is_pending = block.pending > 0 || !block.users.empty();
  return is_pending ? BlockState::kPending : BlockState::kFree;
}

}  // namespace

void DeviceAllocator::set_limit(std::optional<std::size_t> bytes) {
  const Lock lock(mutex_);
  limit_bytes_ = bytes.value_or(Settings::kUnlimited);
}

void DeviceAllocator::set_settings(const Settings& settings) {
  const Lock lock(mutex_);
  settings_ = settings;
}

void DeviceAllocator::let_go_of(const CapturePool* pool) {
  const Lock lock(mutex_);
  for (const auto& each : private_pools_) {
    if (each->owner == pool) each->owner = nullptr;
  }
}

Statistics DeviceAllocator::statistics() {
  const Lock lock(mutex_);
  return statistics_;
}

void DeviceAllocator::reset_peak() {
  const Lock lock(mutex_);
  statistics_.reset_peak();
}

void DeviceAllocator::reset_accumulated() {
  const Lock lock(mutex_);
  statistics_.reset_accumulated();
}

std::vector<SegmentView> DeviceAllocator::segments() {
  const Lock lock(mutex_);
  std::vector<SegmentView> all;
  for (const auto& [address, segment] : segments_) {
    SegmentView view{
        address, segment.size_bytes, segment.first->stream, segment.pool->is_small, {}};
    for (const Block* block = segment.first; block != nullptr; block = block->right) {
      const auto offset = static_cast<std::size_t>(block->data - address);
      view.parts.push_back({offset, block->size_bytes, state_of(*block)});
    }
    all.push_back(std::move(view));
  }
  return all;
}

}  // namespace assay::cuda::memory
