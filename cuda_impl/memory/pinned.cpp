// Free lists of pinned blocks by size.
#include "cuda_impl/memory/pinned.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/memory/block.hpp"
#include "cuda_impl/memory/captures.hpp"
#include "cuda_impl/memory/pending_events.hpp"

namespace assay::cuda::memory {
namespace {

class PinnedAllocator {
 public:
  PinnedBlock& allocate(std::size_t size_bytes) {
    const unsigned long long capture = capture_here();
    {
      const Lock lock(mutex_);
      if (capture == 0) poll();
      PinnedBlock* const found =
          capture == 0 ? search(size_bytes) : search_capture(size_bytes, capture);
      if (found != nullptr) return taken(*found, size_bytes);
    }
    // Without the lock, because the driver call is slow.
    auto made = std::make_unique<PinnedBlock>();
    made->size_bytes = block_bytes(size_bytes);
    made->capture = capture;
    made->data = from_driver(made->size_bytes, capture != 0);
    const Lock lock(mutex_);
    PinnedBlock& block = *made;
    blocks_[block.data] = std::move(made);
    return taken(block, size_bytes);
  }

  void free(PinnedBlock& block) {
    const Lock lock(mutex_);
    if (block.capture != 0) {
      block.is_allocated = false;
      block.is_spent = !block.users.empty();
      return;
    }
    if (block.users.empty()) {
      block.is_allocated = false;
      return make_free(block);
    }
    if (is_capture_under_way()) {
      block.is_allocated = false;
      return deferred_.push_back(&block);
    }
    std::vector<PooledEvent> events = events_for(block);
    block.is_allocated = false;
    wait_for_events(block, std::move(events));
  }

  void take_back(PinnedBlock& block) noexcept {
    try {
      free(block);
    } catch (const Error& error) {
      cuda_warn(static_cast<cudaError_t>(error.code().value_or(cudaErrorUnknown)));
      const Lock lock(mutex_);
      block.is_allocated = false;
      deferred_.push_back(&block);
    }
  }

  void note_use(PinnedBlock& block, StreamUse user) {
    const Lock lock(mutex_);
    if (std::ranges::find(block.users, user) == block.users.end()) block.users.push_back(user);
  }

  PinnedBlock* find(const void* address) {
    const Lock lock(mutex_);
    const auto found = blocks_.find(address);
    return found != blocks_.end() && found->second->is_allocated ? found->second.get() : nullptr;
  }

  void empty_cache() {
    const Lock lock(mutex_);
    poll();
    while (!free_.empty()) {
      std::vector<PinnedBlock*>& blocks = free_.begin()->second;
      std::byte* const data = blocks.back()->data;
      const cudaError_t result = cudaFreeHost(data);
      if (result == cudaSuccess || is_gone(data)) {
        blocks.pop_back();
        if (blocks.empty()) free_.erase(free_.begin());
        blocks_.erase(data);
      }
      cuda_check(result);
    }
  }

  void forget() {
    const Lock lock(mutex_);
    pending_.clear();
    deferred_.clear();
    free_.clear();
    for (const auto& [data, block] : blocks_) cuda_warn(cudaFreeHost(block->data));
    blocks_.clear();
  }

 private:
  using Lock = std::scoped_lock<std::mutex>;

  static bool is_old() { return rules().release == Release::k1_13; }

  static std::size_t block_bytes(std::size_t size_bytes) {
    return is_old() ? size_bytes : std::bit_ceil(size_bytes);
  }

  /// The capture of the thread's current stream.
  static unsigned long long capture_here() {
    if (!is_capture_under_way() || rules().release < Release::k2_11) return 0;
    return number_of_capture(current_stream());
  }

  PinnedBlock* search_capture(std::size_t size_bytes, unsigned long long capture) {
    const std::size_t wanted = block_bytes(size_bytes);
    for (const auto& [data, block] : blocks_) {
      const bool is_free = !block->is_allocated && !block->is_spent;
      if (is_free && block->capture == capture && block->size_bytes == wanted) return block.get();
    }
    return nullptr;
  }

  /// Searches for the exact size; in 1.13 for the smallest that is large enough.
  PinnedBlock* search(std::size_t size_bytes) {
    const std::size_t wanted = block_bytes(size_bytes);
    const auto found = is_old() ? free_.lower_bound(wanted) : free_.find(wanted);
    if (found == free_.end()) return nullptr;
    PinnedBlock* const block = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) free_.erase(found);
    return block;
  }

  static PinnedBlock& taken(PinnedBlock& block, std::size_t size_bytes) {
    block.is_allocated = true;
    block.requested_bytes = size_bytes;
    return block;
  }

  static std::byte* from_driver(std::size_t size_bytes, bool is_relaxed) {
    std::optional<RelaxedCapture> relaxed;
    if (is_relaxed) relaxed.emplace();
    void* data = nullptr;
    cuda_check(cudaHostAlloc(&data, size_bytes, cudaHostAllocDefault));
    return static_cast<std::byte*>(data);
  }

  static std::vector<PooledEvent> events_for(const PinnedBlock& block) {
    std::vector<PooledEvent> events;
    events.reserve(block.users.size());
    for (const StreamUse user : block.users) events.emplace_back(user);
    return events;
  }

  void wait_for_events(PinnedBlock& block, std::vector<PooledEvent> events) {
    block.pending = static_cast<int>(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      pending_.add(block.users[i], std::move(events[i]), block);
    }
    block.users.clear();
  }

  void poll() {
    if (pending_.empty() && deferred_.empty()) return;
    while (!deferred_.empty() && !is_capture_under_way()) {
      std::vector<PooledEvent> events = events_for(*deferred_.back());
      wait_for_events(*deferred_.back(), std::move(events));
      deferred_.pop_back();
    }
    pending_.poll([this](PinnedBlock& block) {
      if (--block.pending == 0) make_free(block);
    });
  }

  void make_free(PinnedBlock& block) { free_[block.size_bytes].push_back(&block); }

  std::mutex mutex_;
  std::map<const void*, std::unique_ptr<PinnedBlock>> blocks_;  ///< all blocks by address
  std::map<std::size_t, std::vector<PinnedBlock*>> free_;       ///< the lists are non-empty
  PendingEvents<PinnedBlock> pending_;
  std::vector<PinnedBlock*> deferred_;  ///< freed, but their events have not been recorded yet
};

/// Never destroyed (FLT-017).
PinnedAllocator& pinned() {
  static auto* const made = new PinnedAllocator();
  return *made;
}

}  // namespace

PinnedBlock& pin(std::size_t size_bytes) { return pinned().allocate(size_bytes); }
void unpin(PinnedBlock& block) { pinned().free(block); }
void note_use(PinnedBlock& block, StreamUse user) { pinned().note_use(block, user); }
PinnedBlock* find_pinned(const void* address) { return pinned().find(address); }
void empty_pinned_cache() { pinned().empty_cache(); }
void forget_pinned() { pinned().forget(); }

}  // namespace assay::cuda::memory

namespace assay::cuda {

AllocatedMemory allocate_pinned_memory(std::size_t size_bytes) {
  memory::PinnedBlock& block = memory::pin(size_bytes);
  return {block.data, &block};
}

void note_pinned_use(const AllocatedMemory& allocated, StreamUse use) {
  memory::note_use(*static_cast<memory::PinnedBlock*>(allocated.block), use);
}

void free_pinned_memory(const AllocatedMemory& allocated) noexcept {
  memory::pinned().take_back(*static_cast<memory::PinnedBlock*>(allocated.block));
}

}  // namespace assay::cuda
