// The steps of an allocation (MEM-011).
#include "reference/core/types/error.hpp"
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/memory/sizes.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

DeviceAllocator::DeviceAllocator(Runtime& runtime, int device, const AllocatorSettings& settings,
                                 DeviceBytes& bytes)
    : runtime_(runtime),
      driver_(driver_of(runtime)),
      device_(device),
      settings_(settings),
      bytes_(bytes),
      events_(runtime) {}

Block* DeviceAllocator::malloc(std::uint64_t size, const StreamTag& stream) {
  Lock lock(mutex_);
  poll_events();
  const Request request = request_of(size, stream);
  Block* block = find_free(request);
  if (block == nullptr && run_free_callbacks()) block = find_free(request);
  if (block == nullptr) {
    collect_garbage();
    block = new_segment(request);
  }
  if (block == nullptr) block = after_freeing_memory(request);
  if (block == nullptr) fail(request, lock);
  return hand_out(block, request);
}

DeviceAllocator::Request DeviceAllocator::request_of(std::uint64_t size, const StreamTag& stream) {
  const std::uint64_t rounded = rounded_size(size, settings_.config);
  return {size, rounded, segment_size(rounded), stream, &pool_for(rounded, stream)};
}

BlockPool& DeviceAllocator::pool_for(std::uint64_t rounded, const StreamTag& stream) {
  PoolPair* pools = &pools_;
  for (const auto& candidate : private_pools_) {
    const bool is_its_capture = driver_.is_in_capture(stream.handle, candidate->stream.handle);
    if (candidate->holders > 0 && is_its_capture) pools = &candidate->pools;
  }
  return is_small(rounded) ? pools->small : pools->large;
}

Block* DeviceAllocator::find_free(const Request& request) {
  BlockPool& pool = *request.pool;
  ++pool.searches;
  Segment wanted_segment{.stream = request.stream};
  const Block wanted{.segment = &wanted_segment, .size = request.rounded};
  auto found = pool.free.lower_bound(const_cast<Block*>(&wanted));
  if (found == pool.free.end()) return nullptr;
  Block* block = *found;
  if (!(block->segment->stream == request.stream)) {
    return nullptr;
  }
  // MEM-018
  const std::uint64_t limit = settings_.config.max_split_size;
  const bool is_oversize = block->size >= limit;
  if (request.rounded < limit && is_oversize) return nullptr;
  const std::uint64_t rounding = settings_.config.max_non_split_rounding;
  if (request.rounded >= limit && block->size >= request.rounded + rounding) return nullptr;
  pool.take(block);
  return block;
}

bool DeviceAllocator::run_free_callbacks() {
  bool has_freed = false;
  for (const auto& callback : settings_.free_callbacks) has_freed |= callback();
  return has_freed;
}

bool DeviceAllocator::may_reserve(std::uint64_t bytes) const {
  return !limit_ || reserved_ + bytes <= *limit_;
}

/// MEM-023: the capture of another stream does not prevent it. Memory that was allocated is not
/// lost if the mode cannot be put back (FLT-008).
Code DeviceAllocator::driver_malloc(Address& address, std::uint64_t size) {
  const ScopedDevice scope(runtime_, device_);
  if (!driver_.is_capturing()) return driver_.malloc(address, size);
  CaptureMode mode = CaptureMode::kRelaxed;
  cuda_check(runtime_, driver_.exchange_capture_mode(mode));
  const Code code = driver_.malloc(address, size);
  cuda_warn(runtime_, driver_.exchange_capture_mode(mode));
  return code;
}

/// Returns null if the limit or the driver leaves no memory (MEM-012, MEM-025).
Block* DeviceAllocator::new_segment(const Request& request) {
  launch_check(runtime_);  // MEM-025: raises the error of an earlier call
  if (!may_reserve(request.segment)) return nullptr;
  Address address = 0;
  const Code code = driver_malloc(address, request.segment);
  if (code == Code::kOutOfMemory) {
    driver_.get_last_error();
    return nullptr;
  }
  cuda_check(runtime_, code);

  const bool is_small = request.pool->is_small;
  auto made = std::make_unique<Segment>(
      Segment{address, request.segment, request.stream, request.pool, nullptr});
  Segment& segment = *segments_.emplace(address, std::move(made)).first->second;
  reserved_ += segment.size;
  if (segment.pool->owner != nullptr) ++segment.pool->owner->segments;
  stats_.segment.add(is_small, 1);
  stats_.reserved_bytes.add(is_small, static_cast<std::int64_t>(segment.size));
  if (segment.size >= settings_.config.max_split_size) stats_.oversize_segments.add(1);
  ++stats_.num_device_alloc;
  segment.first = make_block(segment, address, segment.size);
  return segment.first;
}

Block* DeviceAllocator::after_freeing_memory(const Request& request) {
  if (release_oversize(request)) {
    if (Block* block = new_segment(request)) return block;
  }
  if (driver_.is_capturing()) return nullptr;
  release_cached();
  ++stats_.num_alloc_retries;
  return new_segment(request);
}

bool DeviceAllocator::should_split(const Block& block, const Request& request) const {
  const std::uint64_t rest = block.size - request.rounded;
  if (request.pool->is_small || settings_.config.expandable_segments) return rest >= kMinBlock;
  if (request.rounded >= settings_.config.max_split_size) return false;
  return rest > kSmallLimit;
}

Block* DeviceAllocator::make_block(Segment& segment, Address address, std::uint64_t size) {
  auto made = std::make_unique<Block>();
  made->segment = &segment;
  made->address = address;
  made->size = size;
  Block* block = made.get();
  blocks_.emplace(block, std::move(made));
  return block;
}

/// Makes the bytes after the first `size` a separate free block.
void DeviceAllocator::split(Block* block, std::uint64_t size) {
  Block* rest = make_block(*block->segment, block->address + size, block->size - size);
  rest->previous = block;
  rest->next = block->next;
  if (rest->next != nullptr) rest->next->previous = rest;
  block->next = rest;
  block->size = size;
  block->segment->pool->put(rest);
}

Block* DeviceAllocator::hand_out(Block* block, const Request& request) {
  const bool is_small = request.pool->is_small;
  const bool was_split = block->is_split();
  const auto size_before = static_cast<std::int64_t>(block->size);
  if (should_split(*block, request)) split(block, request.rounded);
  const auto size = static_cast<std::int64_t>(block->size);

  // A free block with neighbours counts as an inactive split (V-67 to V-71).
  if (was_split) {
    stats_.inactive_split_bytes.remove(is_small, size);
    if (!block->is_split() || size == size_before) stats_.inactive_split.remove(is_small, 1);
  } else if (block->is_split()) {
    stats_.inactive_split_bytes.add(is_small, size_before - size);
    stats_.inactive_split.add(is_small, 1);
  }
  block->is_allocated = true;
  block->requested = request.size;
  stats_.allocation.add(is_small, 1);
  stats_.allocated_bytes.add(is_small, size);
  stats_.active.add(is_small, 1);
  stats_.active_bytes.add(is_small, size);
  stats_.requested_bytes.add(is_small, static_cast<std::int64_t>(request.size));
  if (block->size >= settings_.config.max_split_size) stats_.oversize_allocations.add(1);
  return block;
}

}  // namespace assay::reference
