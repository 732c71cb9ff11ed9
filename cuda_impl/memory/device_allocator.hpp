// The caching allocator of one device: splits segments from the driver into blocks and reuses them
// without driver calls (MEM-001 to MEM-023).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cuda_impl/memory/block.hpp"
#include "cuda_impl/memory/pending_events.hpp"
#include "cuda_impl/memory/settings.hpp"
#include "cuda_impl/memory/statistics.hpp"

namespace assay::cuda::memory {

enum class BlockState : std::uint8_t { kFree, kAllocated, kPending };

/// One driver allocation and the blocks in it.
struct SegmentView {
  struct Part {
    std::size_t offset = 0;
    std::size_t size_bytes = 0;
    BlockState state = BlockState::kFree;
  };
  const std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  cudaStream_t stream = nullptr;
  bool is_small = false;
  std::vector<Part> parts;
};

/// A snapshot of an allocated block.
struct BlockView {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  std::size_t requested_bytes = 0;
  const std::byte* segment = nullptr;
};

/// Thread-safe.
class DeviceAllocator {
 public:
  DeviceAllocator(int device, const Settings& settings) : device_(device), settings_(settings) {}

  /// `size_bytes` must be at least 1. Raises `out_of_memory`, or `device` for other driver errors.
  Block& allocate(std::size_t size_bytes, cudaStream_t stream);
  /// Raises `device` if events for the block's other users cannot be recorded; the block then stays
  /// allocated.
  void free(Block& block);
  /// Like `free`, for destructors: a failure becomes a warning, and is retried later.
  void take_back(Block& block) noexcept;
  void note_use(Block& block, StreamUse user);
  /// Returns the allocated block that begins at the address; otherwise null.
  Block* find(const void* address);
  BlockView view(const Block& block);

  /// MEM-016. Not during a capture.
  void empty_cache();
  /// Frees everything that is not in use without waiting; the device must be idle. Returns whether
  /// nothing is left.
  bool abandon();
  /// MEM-012: limits the device's memory. nullopt removes the limit.
  void set_limit(std::optional<std::size_t> bytes);
  void set_settings(const Settings& settings);
  /// Declares that no capture uses the pool any more.
  void let_go_of(const CapturePool* pool);

  Statistics statistics();
  void reset_peak();
  void reset_accumulated();
  /// Sorted by address.
  std::vector<SegmentView> segments();

 private:
  struct Request {
    std::size_t size_bytes;
    Fit fit;
    Pool* pool;
  };
  struct Segment {
    Block* first;
    std::size_t size_bytes;
    Pool* pool;
  };
  using Lock = std::unique_lock<std::mutex>;
  using Events = std::vector<PooledEvent>;

  // The fast path (device_allocator.cpp).
  Request request_for(std::size_t size_bytes, cudaStream_t stream);
  Block* search(const Request& request);
  bool serves(const Block& block, const Request& request) const;
  bool is_to_split(const Block& block, const Request& request) const;
  Block& taken(Block& block, const Request& request);
  Block& split(Block& block, std::size_t size_bytes);
  void end_allocation(Block& block);
  void make_free(Block& block);
  std::size_t merge(Block*& block, Block* left, Block* right);
  Block& new_block();
  void discard(Block& block);

  // Blocks with other users (device_pending.cpp).
  void poll();
  static Events events_for(const Block& block);
  void wait_for_events(Block& block, Events events);
  void one_event_less(Block& block);
  void look_at_deferred();

  // The slow path, when no free block fits (device_shortage.cpp).
  Block* searched_elsewhere(const Request& request, Lock& lock);
  Block* reserve(const Request& request);
  Block& add_segment(std::byte* data, const Request& request, std::size_t size_bytes);
  bool collect_garbage();
  Block* reserve_for_oversize(const Request& request);
  Block* retry(const Request& request);
  void release_cached();
  void release(Block& block);
  void forget(Block& block);
  [[noreturn]] void raise_out_of_memory(const Request& request, Lock& lock);
  std::size_t bytes_in_private_pools() const;

  Pool& pool_for(bool is_small, cudaStream_t stream);
  bool is_private(const Pool& pool) const { return &pool != &small_ && &pool != &large_; }
  bool has_limit() const { return limit_bytes_ != Settings::kUnlimited; }

  const int device_;
  std::mutex mutex_;
  Settings settings_;
  Statistics statistics_;
  Pool small_{true};
  Pool large_{false};
  std::vector<std::unique_ptr<PrivatePool>> private_pools_;
  std::map<const std::byte*, Segment> segments_;
  std::uint64_t segments_ever_ = 0;
  PendingEvents<Block> pending_;
  std::vector<Block*> deferred_;  ///< freed, but their events have not been recorded yet
  std::deque<Block> blocks_;
  std::vector<Block*> spare_;
  std::size_t reserved_bytes_ = 0;
  std::size_t limit_bytes_ = Settings::kUnlimited;
};

}  // namespace assay::cuda::memory
