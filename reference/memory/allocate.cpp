// The steps of an allocation (MEM-011), and the text of out-of-memory errors (MEM-013).
#include <cstdint>
#include <optional>
#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/error.hpp"
#include "reference/memory/block.hpp"
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

// The text of out-of-memory errors.

struct MemoryShortage {
  int device = 0;
  std::uint64_t asked = 0;  ///< the segment size requested from the driver
  std::uint64_t capacity = 0;
  std::uint64_t free = 0;
  std::uint64_t allocated = 0;
  std::uint64_t reserved = 0;
  std::uint64_t in_private_pools = 0;
  std::optional<std::uint64_t> limit = {};
};

/// MEM-013, in the wording of the release.
std::string text_of(const MemoryShortage& shortage, Release release);

namespace {

std::string first_text(const MemoryShortage& shortage) {
  std::string text =
      "CUDA out of memory. Tried to allocate " + size_text(shortage.asked) + " (GPU " +
      std::to_string(shortage.device) + "; " + size_text(shortage.capacity) + " total capacity; " +
      size_text(shortage.allocated) + " already allocated; " + size_text(shortage.free) + " free; ";
  if (shortage.limit) text += size_text(*shortage.limit) + " allowed; ";
  return text + size_text(shortage.reserved) +
         " reserved in total by PyTorch) If reserved memory is >> allocated memory try setting "
         "max_split_size_mb to avoid fragmentation.";
}

std::string later_text(const MemoryShortage& shortage, Release release) {
  std::string text = "CUDA out of memory. Tried to allocate " + size_text(shortage.asked) +
                     ". GPU " + std::to_string(shortage.device) + " has a total capacity of " +
                     size_text(shortage.capacity) + " of which " + size_text(shortage.free) +
                     " is free. ";
  if (shortage.limit) text += size_text(*shortage.limit) + " allowed; ";
  text += "Of the allocated memory " + size_text(shortage.allocated) + " is allocated by PyTorch, ";
  if (shortage.in_private_pools > 0) {
    text += "with " + size_text(shortage.in_private_pools) + " allocated in private pools, ";
  }
  const char* variable =
      release >= Release::k2_11 ? "PYTORCH_ALLOC_CONF" : "PYTORCH_CUDA_ALLOC_CONF";
  return text + "and " + size_text(shortage.reserved - shortage.allocated) +
         " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large, " +
         variable + "=expandable_segments:True may help against fragmentation.";
}

}  // namespace

std::string text_of(const MemoryShortage& shortage, Release release) {
  return release < Release::k2_4 ? first_text(shortage) : later_text(shortage, release);
}

void DeviceAllocator::fail(const Request& request, Lock& lock) {
  MemoryShortage shortage{
      .device = device_,
      .asked = request.segment,
      .allocated = static_cast<std::uint64_t>(stats_.allocated_bytes.of[0].current),
      .reserved = reserved_,
      .in_private_pools = bytes_in_private_pools(),
      .limit = limit_};
  {
    const ScopedDevice scope(runtime_, device_);
    const Code code = driver_.mem_info(shortage.free, shortage.capacity);
    cuda_check(runtime_, code);  // FLT-011: its error takes precedence
  }
  ++stats_.num_ooms;
  const auto observers = settings_.observers;
  lock.unlock();
  for (const auto& observer : observers) {
    observer(device_);
  }
  throw Error(ErrorKind::kOutOfMemory, text_of(shortage, runtime_.contract().release));
}

// The steps of an allocation.

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
