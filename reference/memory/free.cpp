// Frees blocks: at once, or after the last event of another stream.
#include <algorithm>
#include <utility>

#include "reference/memory/device_allocator.hpp"

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

}  // namespace assay::reference
