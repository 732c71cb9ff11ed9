// The caching allocator of one device: segments from the driver, cut into blocks that streams take
// and give back without a call of the driver (MEM-001 to MEM-023).
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

/// What one allocation of the driver's is cut into.
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

/// What a request got.
struct BlockView {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  std::size_t requested_bytes = 0;
  const std::byte* segment = nullptr;
};

/// Any thread may call anything at any time.
class DeviceAllocator {
 public:
  DeviceAllocator(int device, const Settings& settings) : device_(device), settings_(settings) {}

  /// At least one byte. Raises `out_of_memory`, and `device` where the driver fails otherwise.
  Block& allocate(std::size_t size_bytes, cudaStream_t stream);
  /// Raises `device` where the block has other users and their events cannot be made: it is
  /// allocated then as before.
  void free(Block& block);
  /// The same for destructors: what goes wrong becomes a warning, and is tried again later.
  void take_back(Block& block) noexcept;
  void note_use(Block& block, StreamUse user);
  /// The allocated block that begins there; null for none.
  Block* find(const void* address);
  BlockView view(const Block& block);

  /// MEM-016. Not while a capture is under way.
  void empty_cache();
  /// Everything that can go goes, and nobody is waited for: the device has nothing to do. Is
  /// nothing left?
  bool abandon();
  /// MEM-012: of the device's memory. Nothing for no limit.
  void set_limit(std::optional<std::size_t> bytes);
  void set_settings(const Settings& settings);
  /// Nobody captures into the pool any more.
  void let_go_of(const CapturePool* pool);

  Statistics statistics();
  void reset_peak();
  void reset_accumulated();
  /// By address.
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

  // The way of nearly all requests (device_allocator.cpp).
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

  // Blocks that other streams use (device_pending.cpp).
  void poll();
  static Events events_for(const Block& block);
  void wait_for_events(Block& block, Events events);
  void one_event_less(Block& block);
  void look_at_deferred();

  // When no free block serves (device_shortage.cpp).
  Block* searched_elsewhere(const Request& request, Lock& lock);
  Block* reserve(const Request& request);
  Block& add_segment(std::byte* data, const Request& request, std::size_t size_bytes);
  bool collect_garbage();
  Block* reserve_for_oversize(const Request& request);
  Block* retry(const Request& request);
  void release_cached();
  void release_all(const std::vector<Block*>& whole);
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
  PendingEvents<Block> pending_;
  std::vector<Block*> deferred_;  ///< freed, and their events are still to be made
  std::deque<Block> blocks_;
  std::vector<Block*> spare_;
  std::size_t reserved_bytes_ = 0;
  std::size_t limit_bytes_ = Settings::kUnlimited;
};

}  // namespace assay::cuda::memory
