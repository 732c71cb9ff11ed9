// Frees blocks: at once, or after the last event of another stream. Returns cached segments to the
// driver, and decides how many. The private pools of capturing streams (MEM-023).
#include <algorithm>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/memory/block.hpp"
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

void DeviceAllocator::record_stream(Block* block, const StreamTag& stream) {
  const Lock lock(mutex_);
  const bool is_own = block->segment->stream == stream;  // MEM-006
  if (is_own) return;
  auto& users = block->users;
  const bool is_known = std::find(users.begin(), users.end(), stream) != users.end();
  if (!is_known) {
    users.push_back(stream);
    if (driver_.is_capturing()) block->captured_users.push_back(stream);
  }
}

void DeviceAllocator::free(Block* block) {
  const Lock lock(mutex_);
  const bool is_small = block->segment->pool->is_small;
  // Events recorded during a capture cannot be queried, so none is recorded now (MEM-023).
  const bool is_deferred = driver_.is_capturing();
  const bool has_users = !block->users.empty();
  if (has_users && !is_deferred) events_.add(block);  // may raise; nothing has been modified yet
  block->is_allocated = false;
  stats_.allocation.remove(is_small, 1);
  stats_.allocated_bytes.remove(is_small, static_cast<std::int64_t>(block->size));
  if (block->size >= settings_.config.max_split_size) stats_.oversize_allocations.remove(1);

  if (!has_users) return put_back(block);
  if (is_deferred) return deferred_.push_back(block);
}

void DeviceAllocator::record_deferred_events() {
  while (!deferred_.empty()) {
    Block* block = deferred_.front();
    if (runtime_.contract().at_least(Release::k2_4)) {
      std::erase_if(block->users, [&](const StreamTag& user) {
        const auto& captured = block->captured_users;
        return std::find(captured.begin(), captured.end(), user) != captured.end();
      });
    }
    events_.add(block);  // may raise; the block is still deferred then
    deferred_.erase(deferred_.begin());
    if (block->pending_events == 0) put_back(block);
  }
}

/// MEM-008: runs before each request, except during captures.
void DeviceAllocator::poll_events() {
  if (driver_.is_capturing()) return;
  record_deferred_events();
  events_.poll([this](Block* block) { put_back(block); });
}

/// MEM-005: merges the block with free neighbours and returns it to its stream's pool (MEM-009).
void DeviceAllocator::put_back(Block* block) {
  BlockPool& pool = *block->segment->pool;
  const auto size = static_cast<std::int64_t>(block->size);
  const auto requested = static_cast<std::int64_t>(block->requested);
  poison(*block);

  std::int64_t splits = 0;
  std::int64_t split_bytes = 0;
  for (Block* neighbour : {block->previous, block->next}) {
    const std::uint64_t taken = merge(block, neighbour);
    if (taken == 0) continue;
    splits -= 1;
    split_bytes -= static_cast<std::int64_t>(taken);
  }
  pool.put(block);
  if (block->is_split()) {
    splits += 1;
    split_bytes += static_cast<std::int64_t>(block->size);
  }
  stats_.inactive_split.change(pool.is_small, splits);
  stats_.inactive_split_bytes.change(pool.is_small, split_bytes);
  stats_.active.remove(pool.is_small, 1);
  stats_.active_bytes.remove(pool.is_small, size);
  stats_.requested_bytes.remove(pool.is_small, requested);
}

/// Returns the merged bytes; 0 if there is no free neighbour.
std::uint64_t DeviceAllocator::merge(Block* block, Block* neighbour) {
  if (neighbour == nullptr || !neighbour->is_free()) return 0;
  block->segment->pool->take(neighbour);
  if (neighbour == block->previous) {
    block->address = neighbour->address;
    block->previous = neighbour->previous;
    if (block->previous != nullptr) block->previous->next = block;
    if (block->segment->first == neighbour) block->segment->first = block;
  } else {
    block->next = neighbour->next;
    if (block->next != nullptr) block->next->previous = block;
  }
  const std::uint64_t taken = neighbour->size;
  block->size += taken;
  blocks_.erase(neighbour);
  return taken;
}

/// Makes a use after free visible. Skipped while work in the stream may use the block.
void DeviceAllocator::poison(const Block& block) {
  const StreamTag& stream = block.segment->stream;
  const DeviceGuard scope(runtime_, stream.device);
  if (driver_.pending(stream.handle) > 0) return;
  bytes_.poison(block.address, block.size);
}

// Returning segments.

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

// Private pools of capturing streams.

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
