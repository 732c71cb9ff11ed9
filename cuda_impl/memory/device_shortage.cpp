// The steps of a request that no free block satisfies, in the order of MEM-011.
#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/memory/captures.hpp"
#include "cuda_impl/memory/device_allocator.hpp"
#include "cuda_impl/memory/hooks.hpp"
#include "cuda_impl/memory/out_of_memory.hpp"
#include "cuda_impl/memory/sizes.hpp"

namespace assay::cuda::memory {
namespace {

/// Appends free blocks that are whole segments.
void append_whole_segments_in(const Pool& pool, std::vector<Block*>& whole) {
  std::ranges::copy_if(pool.free, std::back_inserter(whole),
                       [](const Block* block) { return !block->is_split(); });
}

std::vector<Block*> whole_segments_in(const Pool& pool) {
  std::vector<Block*> whole;
  append_whole_segments_in(pool, whole);
  return whole;
}

std::size_t bytes_of(const std::vector<Block*>& blocks) {
  std::size_t sum = 0;
  for (const Block* const block : blocks) sum += block->size_bytes;
  return sum;
}

}  // namespace

/// Returns a block that is in no pool.
Block* DeviceAllocator::searched_elsewhere(const Request& request, Lock& lock) {
  if (has_free_callbacks()) {
    lock.unlock();
    const bool has_freed = run_free_callbacks();
    lock.lock();
    if (Block* const found = has_freed ? search(request) : nullptr) return found;
  }
  while (collect_garbage()) {
  }
  Block* made = reserve(request);
  if (made == nullptr) made = reserve_for_oversize(request);
  if (made == nullptr) made = retry(request);
  if (made == nullptr) raise_out_of_memory(request, lock);
  return made;
}

/// Allocates a segment. Returns null if it exceeds the limit (MEM-012) or the driver has no memory.
Block* DeviceAllocator::reserve(const Request& request) {
  cuda_check(cudaPeekAtLastError());  // MEM-025: an earlier error of other code
  const std::size_t size_bytes = segment_bytes(request.fit.size_bytes);
  if (size_bytes > limit_bytes_ || reserved_bytes_ > limit_bytes_ - size_bytes) return nullptr;
  const DeviceScope scope(device_);
  std::optional<RelaxedCapture> relaxed;
  if (is_capture_under_way() || is_capturing(request.fit.stream)) relaxed.emplace();
  void* data = nullptr;
  const cudaError_t result = cudaMalloc(&data, size_bytes);
  // The error may come from an earlier kernel although the allocation succeeded.
  if (result != cudaSuccess && data != nullptr) static_cast<void>(cudaFree(data));
  if (result == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  cuda_check(result);
  return &add_segment(static_cast<std::byte*>(data), request, size_bytes);
}

Block& DeviceAllocator::add_segment(std::byte* data, const Request& request,
                                    std::size_t size_bytes) {
  Block& block = new_block();
  block.data = data;
  block.size_bytes = size_bytes;
  block.stream = request.fit.stream;
  block.pool = request.pool;
  if (rules().release >= Release::k2_12) block.segment_number = segments_ever_++;
  segments_[data] = {&block, size_bytes, request.pool};
  reserved_bytes_ += size_bytes;
  ++statistics_.num_device_alloc;
  statistics_.segment.add(request.pool->is_small, 1);
  statistics_.reserved_bytes.add(request.pool->is_small, size_bytes);
  if (size_bytes >= settings_.max_split_bytes) statistics_.oversize_segments.add(1);
  return block;
}

/// MEM-017: one pass. Returns whether another one is needed.
bool DeviceAllocator::collect_garbage() {
  if (!has_limit() || settings_.garbage_threshold == 0) return false;
  const auto enough =
      static_cast<std::size_t>(settings_.garbage_threshold * static_cast<double>(limit_bytes_));
  const std::vector<Block*> whole = whole_segments_in(large_);
  if (reserved_bytes_ <= enough || whole.empty()) return false;
  const auto age = [this](const Block* block) { return large_.searches - block->cached_at; };
  std::uint64_t ages = 0;
  for (const Block* const block : whole) ages += age(block);
  for (Block* const block : whole) {
    if (age(block) * whole.size() >= ages) release(*block);
  }
  return true;
}

/// MEM-018: releases unsplittable blocks first, the largest of the stream first.
Block* DeviceAllocator::reserve_for_oversize(const Request& request) {
  if (settings_.max_split_bytes == Settings::kUnlimited) return nullptr;
  std::vector<Block*> oversize = whole_segments_in(*request.pool);
  std::erase_if(oversize, [&](const Block* block) {
    return block->stream != request.fit.stream || block->size_bytes < settings_.max_split_bytes;
  });
  const std::size_t wanted = std::max(request.fit.size_bytes, settings_.max_split_bytes);
  const auto one = std::ranges::find_if(
      oversize, [&](const Block* block) { return block->size_bytes >= wanted; });
  if (one != oversize.end()) {
    release(**one);  // the smallest that is large enough
    return reserve(request);
  }
  if (bytes_of(oversize) < wanted) return nullptr;
  for (std::size_t gone = 0; gone < wanted; oversize.pop_back()) {
    gone += oversize.back()->size_bytes;
    release(*oversize.back());
  }
  return reserve(request);
}

/// MEM-015: does nothing during a capture, which cannot wait.
Block* DeviceAllocator::retry(const Request& request) {
  if (is_capture_under_way()) return nullptr;
  release_cached();
  ++statistics_.num_alloc_retries;
  return reserve(request);
}

void DeviceAllocator::empty_cache() {
  const Lock lock(mutex_);
  release_cached();
}

void DeviceAllocator::release_cached() {
  ++statistics_.num_sync_all_streams;
  look_at_deferred();
  pending_.wait([this](Block& block) { one_event_less(block); });
  std::vector<Block*> whole = whole_segments_in(large_);
  append_whole_segments_in(small_, whole);
  for (const auto& pool : private_pools_) {
    if (pool->owner != nullptr) continue;
    append_whole_segments_in(pool->large, whole);
    append_whole_segments_in(pool->small, whole);
  }
  for (Block* const block : whole) release(*block);
  std::erase_if(private_pools_, [this](const auto& pool) {
    return pool->owner == nullptr && std::ranges::none_of(segments_, [&](const auto& segment) {
             return pool->has(segment.second.pool);
           });
  });
}

/// Returns the segment to the driver, which waits for the device. An error may come from an earlier
/// kernel; it is raised, though the segment may be freed (MEM-016).
void DeviceAllocator::release(Block& block) {
  const DeviceScope scope(device_);
  ++statistics_.num_device_free;  // PyTorch counts attempts
  const cudaError_t result = cudaFree(block.data);
  if (result == cudaSuccess || is_gone(block.data)) forget(block);
  cuda_check(result);
}

void DeviceAllocator::forget(Block& block) {
  const bool is_small = block.pool->is_small;
  block.pool->extract(block);
  segments_.erase(block.data);
  reserved_bytes_ -= block.size_bytes;
  statistics_.segment.remove(is_small, 1);
  statistics_.reserved_bytes.remove(is_small, block.size_bytes);
  if (block.size_bytes >= settings_.max_split_bytes) statistics_.oversize_segments.remove(1);
  discard(block);
}

bool DeviceAllocator::abandon() {
  const Lock lock(mutex_);
  pending_.clear();
  deferred_.clear();
  for (auto segment = segments_.begin(); segment != segments_.end();) {
    bool is_used = false;
    for (const Block* block = segment->second.first; block != nullptr; block = block->right) {
      is_used = is_used || block->is_allocated;
    }
    if (!is_used) cuda_warn(cudaFree(const_cast<std::byte*>(segment->first)));
    segment = is_used ? std::next(segment) : segments_.erase(segment);
  }
  return segments_.empty();
}

void DeviceAllocator::raise_out_of_memory(const Request& request, Lock& lock) {
  Shortage shortage{.device = device_,
                    .wanted_bytes = segment_bytes(request.fit.size_bytes),
                    .private_bytes = bytes_in_private_pools()};
  statistics_.allocated_bytes.for_each([&](std::string_view pool, const Stat& stat) {
    if (pool == "all") shortage.allocated_bytes = static_cast<std::size_t>(stat.current);
  });
  shortage.reserved_bytes = reserved_bytes_;
  if (has_limit()) shortage.limit_bytes = limit_bytes_;
  const DeviceScope scope(device_);
  cuda_check(cudaMemGetInfo(&shortage.free_bytes, &shortage.total_bytes));
  ++statistics_.num_ooms;
  lock.unlock();
  notify_observers(device_);
  throw Error(ErrorKind::kOutOfMemory, in_words(shortage));
}

std::size_t DeviceAllocator::bytes_in_private_pools() const {
  std::size_t sum = 0;
  for (const auto& [address, segment] : segments_) {
    if (!is_private(*segment.pool)) continue;
    for (const Block* block = segment.first; block != nullptr; block = block->right) {
      if (block->is_allocated) sum += block->size_bytes;
    }
  }
  return sum;
}

}  // namespace assay::cuda::memory
