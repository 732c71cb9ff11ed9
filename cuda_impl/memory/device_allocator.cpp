// The fast path of the caching allocator: search, split and merge.
#include "cuda_impl/memory/device_allocator.hpp"

#include <iterator>
#include <utility>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/memory/captures.hpp"
#include "cuda_impl/memory/sizes.hpp"

namespace assay::cuda::memory {

Block& DeviceAllocator::allocate(std::size_t size_bytes, cudaStream_t stream) {
  Lock lock(mutex_);
  const Request request = request_for(size_bytes, stream);
  poll();
  Block* found = search(request);
  if (found == nullptr) [[unlikely]]
    found = searched_elsewhere(request, lock);
  return taken(*found, request);
}

DeviceAllocator::Request DeviceAllocator::request_for(std::size_t size_bytes, cudaStream_t stream) {
  const std::size_t block_bytes = rounded(size_bytes, settings_);
  return {size_bytes, {stream, block_bytes}, &pool_for(is_small(block_bytes), stream)};
}

Pool& DeviceAllocator::pool_for(bool is_small, cudaStream_t stream) {
  Pool& usual = is_small ? small_ : large_;
  if (!is_capture_under_way()) [[likely]]
    return usual;
  const CapturePool* const owner = pool_of_capture({device_, stream});
  if (owner == nullptr) return usual;
  for (const auto& each : private_pools_) {
    if (each->owner == owner) return is_small ? each->small : each->large;
  }
  private_pools_.push_back(std::make_unique<PrivatePool>(owner));
  PrivatePool& made = *private_pools_.back();
  return is_small ? made.small : made.large;
}

/// MEM-004. Removes the block from its pool.
Block* DeviceAllocator::search(const Request& request) {
  Pool& pool = *request.pool;
  ++pool.searches;
  const auto found = pool.free.lower_bound(request.fit);
  if (found == pool.free.end()) return nullptr;
  Block* const block = *found;
  if (block->stream != request.fit.stream || !serves(*block, request)) return nullptr;
  block->node = pool.free.extract(found);
  return block;
}

/// MEM-018: an unsplittable block serves a request only if little of it is wasted.
bool DeviceAllocator::serves(const Block& block, const Request& request) const {
  if (block.size_bytes < settings_.max_split_bytes) [[likely]]
    return true;
  if (request.fit.size_bytes < settings_.max_split_bytes) return false;
  return block.size_bytes - request.fit.size_bytes < settings_.max_waste_bytes;
}

/// MEM-003
bool DeviceAllocator::is_to_split(const Block& block, const Request& request) const {
  const std::size_t rest = block.size_bytes - request.fit.size_bytes;
  if (request.pool->is_small || settings_.is_expandable) return rest >= kUnit;
  return request.fit.size_bytes < settings_.max_split_bytes && rest > kLargestSmall;
}

/// Assigns a block without a pool to the request's pool.
Block& DeviceAllocator::taken(Block& found, const Request& request) {
  const bool is_small = request.pool->is_small;
  const bool was_split = found.is_split();
  const bool is_cut = is_to_split(found, request);
  Block& block = is_cut ? split(found, request.fit.size_bytes) : found;
  if (was_split) {
    statistics_.inactive_split_bytes.remove(is_small, block.size_bytes);
    if (!is_cut) statistics_.inactive_split.remove(is_small, 1);
  } else if (is_cut) {
    statistics_.inactive_split_bytes.add(is_small, block.right->size_bytes);
    statistics_.inactive_split.add(is_small, 1);
  }
  block.is_allocated = true;
  block.requested_bytes = request.size_bytes;
  statistics_.allocation.add(is_small, 1);
  statistics_.allocated_bytes.add(is_small, block.size_bytes);
  statistics_.active.add(is_small, 1);
  statistics_.active_bytes.add(is_small, block.size_bytes);
  statistics_.requested_bytes.add(is_small, block.requested_bytes);
  if (block.size_bytes >= settings_.max_split_bytes) statistics_.oversize_allocations.add(1);
  return block;
}

/// Returns the front part; the rest goes back to the pool.
Block& DeviceAllocator::split(Block& block, std::size_t size_bytes) {
  Block& rest = new_block();
  rest.data = block.data + size_bytes;
  rest.size_bytes = block.size_bytes - size_bytes;
  rest.stream = block.stream;
  rest.segment_number = block.segment_number;
  rest.pool = block.pool;
  rest.left = &block;
  rest.right = block.right;
  if (rest.right != nullptr) rest.right->left = &rest;
  block.right = &rest;
  block.size_bytes = size_bytes;
  rest.pool->insert(rest);
  return block;
}

void DeviceAllocator::free(Block& block) {
  const Lock lock(mutex_);
  if (block.users.empty()) [[likely]] {
    end_allocation(block);
    return make_free(block);
  }
  if (is_capture_under_way()) {
    end_allocation(block);
    return deferred_.push_back(&block);
  }
  Events events = events_for(block);
  end_allocation(block);
  wait_for_events(block, std::move(events));
}

void DeviceAllocator::take_back(Block& block) noexcept {
  try {
    free(block);
  } catch (const Error& error) {
    cuda_warn(static_cast<cudaError_t>(error.code().value_or(cudaErrorUnknown)));
    const Lock lock(mutex_);
    end_allocation(block);
    deferred_.push_back(&block);
  }
}

/// MEM-007: the block is no longer allocated, but still active.
void DeviceAllocator::end_allocation(Block& block) {
  block.is_allocated = false;
  statistics_.allocation.remove(block.pool->is_small, 1);
  statistics_.allocated_bytes.remove(block.pool->is_small, block.size_bytes);
  if (block.size_bytes >= settings_.max_split_bytes) statistics_.oversize_allocations.remove(1);
}

/// Merges the block with free neighbors and returns it to its pool (MEM-005).
void DeviceAllocator::make_free(Block& freed) {
  const bool is_small = freed.pool->is_small;
  statistics_.active.remove(is_small, 1);
  statistics_.active_bytes.remove(is_small, freed.size_bytes);
  statistics_.requested_bytes.remove(is_small, freed.requested_bytes);
  Block* block = &freed;
  std::int64_t splits = 0;
  std::int64_t split_bytes = 0;
  for (const bool is_left : {true, false}) {
    const std::size_t gained =
        is_left ? merge(block, block->left, block) : merge(block, block, block->right);
    if (gained == 0) continue;
    --splits;
    split_bytes -= static_cast<std::int64_t>(gained);
  }
  if (block->is_split()) {
    ++splits;
    split_bytes += static_cast<std::int64_t>(block->size_bytes);
  }
  statistics_.inactive_split.change(is_small, splits);
  statistics_.inactive_split_bytes.change(is_small, split_bytes);
  block->pool->insert(*block);
}

/// Merges two neighbors, one of them `block`, into the left one, which becomes `block`. Returns the
/// bytes that were already free; 0 if they cannot be merged.
std::size_t DeviceAllocator::merge(Block*& block, Block* left, Block* right) {
  Block* const other = left == block ? right : left;
  const bool is_free =
      other != nullptr && !other->is_allocated && other->pending == 0 && other->users.empty();
  if (!is_free) return 0;
  const std::size_t gained = other->size_bytes;
  other->pool->extract(*other);
  left->size_bytes += right->size_bytes;
  left->right = right->right;
  if (left->right != nullptr) left->right->left = left;
  discard(*right);
  block = left;
  return gained;
}

Block& DeviceAllocator::new_block() {
  if (!spare_.empty()) {
    Block& block = *spare_.back();
    spare_.pop_back();
    return block;
  }
  blocks_.emplace_back();
  Block& block = blocks_.back();
  block.home = this;
  FreeBlocks alone;
  alone.insert(&block);
  block.node = alone.extract(alone.begin());
  return block;
}

void DeviceAllocator::discard(Block& block) {
  block.left = block.right = nullptr;
  spare_.push_back(&block);
}

Block* DeviceAllocator::find(const void* address) {
  const Lock lock(mutex_);
  const auto* const place = static_cast<const std::byte*>(address);
  auto found = segments_.upper_bound(place);
  if (found == segments_.begin()) return nullptr;
  for (Block* block = std::prev(found)->second.first; block != nullptr; block = block->right) {
    if (block->data == place) return block->is_allocated ? block : nullptr;
  }
  return nullptr;
}

BlockView DeviceAllocator::view(const Block& block) {
  const Lock lock(mutex_);
  const auto segment = std::prev(segments_.upper_bound(block.data));
  return {block.data, block.size_bytes, block.requested_bytes, segment->first};
}

}  // namespace assay::cuda::memory
