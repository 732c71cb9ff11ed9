// Returns cached segments to the driver, and decides how many.
#include <algorithm>

#include "reference/core/types/error.hpp"
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/memory/sizes.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

void DeviceAllocator::empty_cache() {
  const Lock lock(mutex_);
  release_cached();
}

void DeviceAllocator::set_limit(std::optional<std::uint64_t> bytes) {
  const Lock lock(mutex_);
  limit_ = bytes;
}

/// The block must be free and its whole segment.
void DeviceAllocator::return_segment(Block* block) {
  Segment& segment = *block->segment;
  BlockPool& pool = *segment.pool;
  const ScopedDevice scope(runtime_, device_);
  ++stats_.num_device_free;  // PyTorch counts before the call
  const Code code = driver_.free(segment.address);
  // A failed call may still have freed the segment, which then must not be kept.
  if (code != Code::kSuccess && driver_.data(segment.address) != nullptr) {
    cuda_check(runtime_, code);
  }
  pool.take(block);
  if (pool.owner != nullptr) --pool.owner->segments;
  reserved_ -= segment.size;
  stats_.segment.remove(pool.is_small, 1);
  stats_.reserved_bytes.remove(pool.is_small, static_cast<std::int64_t>(segment.size));
  if (segment.size >= settings_.config.max_split_size) stats_.oversize_segments.remove(1);
  const Address address = segment.address;
  blocks_.erase(block);
  segments_.erase(address);
  cuda_check(runtime_, code);
}

void DeviceAllocator::return_free_segments(BlockPool& pool) {
  const std::vector<Block*> all(pool.free.begin(), pool.free.end());
  for (Block* block : all) {
    if (!block->is_split()) return_segment(block);
  }
}

/// MEM-015, MEM-016.
void DeviceAllocator::release_cached() {
  check(!driver_.is_capturing(), ErrorKind::kInternal,
        [] { return "cached memory cannot be released while a capture is under way"; });
  ++stats_.num_sync_all_streams;
  record_deferred_events();
  events_.wait([this](Block* block) { put_back(block); });
  return_free_segments(pools_.large);
  return_free_segments(pools_.small);
  std::erase_if(private_pools_, [this](const std::shared_ptr<PrivatePool>& pool) {
    if (pool->holders > 0) return false;
    return_free_segments(pool->pools.large);
    return_free_segments(pool->pools.small);
    return pool->segments == 0 && pool->holders == 0;
  });
}

/// MEM-011 (6): releases unsplittable blocks of the stream: one that is large enough, or else the
/// largest ones until the sum is.
bool DeviceAllocator::release_oversize(const Request& request) {
  const std::uint64_t limit = settings_.config.max_split_size;
  if (limit == AllocatorConfig::kNoLimit) return false;
  const std::uint64_t wanted = std::max(request.rounded, limit);
  std::vector<Block*> candidates;  // sorted by size
  for (Block* block : request.pool->free) {
    if (block->segment->stream == request.stream && block->size >= limit && !block->is_split()) {
      candidates.push_back(block);
    }
  }
  for (Block* block : candidates) {
    if (block->size < wanted) continue;
    return_segment(block);
    return true;
  }
  std::uint64_t released = 0;
  for (auto block = candidates.rbegin(); block != candidates.rend() && released < wanted; ++block) {
    released += (*block)->size;
    return_segment(*block);
  }
  return released >= wanted;
}

/// MEM-017.
void DeviceAllocator::collect_garbage() {
  const double threshold = settings_.config.garbage_collection_threshold;
  if (!limit_ || threshold == 0) return;
  const auto allowed = static_cast<std::uint64_t>(threshold * static_cast<double>(*limit_));
  BlockPool& pool = pools_.large;
  while (reserved_ > allowed) {
    std::vector<Block*> whole;
    std::uint64_t total_age = 0;
    for (Block* block : pool.free) {
      if (block->is_split()) continue;
      whole.push_back(block);
      total_age += pool.age_of(block);
    }
    if (whole.empty()) return;
    const double average = static_cast<double>(total_age) / static_cast<double>(whole.size());
    for (Block* block : whole) {
      const bool is_old = static_cast<double>(pool.age_of(block)) >= average;
      if (is_old) return_segment(block);
    }
  }
}

}  // namespace assay::reference
