// The caching allocator of one device: each stream reuses its own blocks in stream order.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reference/memory/block.hpp"
#include "reference/memory/config.hpp"
#include "reference/memory/device_bytes.hpp"
#include "reference/memory/event_queue.hpp"
#include "reference/memory/stats.hpp"

namespace assay::reference {

/// Shared by all devices and read under each device's lock, so it must not change concurrently.
struct AllocatorSettings {
  using Observer = std::function<void(int device)>;
  using FreeCallback = std::function<bool()>;

  AllocatorConfig config = {};
  std::vector<Observer> observers = {};           ///< called before an out-of-memory error: MEM-013
  std::vector<FreeCallback> free_callbacks = {};  ///< return whether they freed memory (MEM-011)
};

/// A block and its state, for reports.
struct BlockView {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  const char* state = "free";  ///< `allocated`, `pending`, `free`
};

struct SegmentView {
  Address address = 0;
  std::uint64_t size = 0;
  StreamTag stream;
  bool is_small = false;
  std::vector<BlockView> blocks;
};

/// Thread-safe. The lock is recursive, because a callback may free memory (MEM-026).
class DeviceAllocator {
 public:
  DeviceAllocator(Runtime& runtime, int device, const AllocatorSettings& settings,
                  DeviceBytes& bytes);

  /// `size` must be at least 1. Raises `out_of_memory` (MEM-013), or `device` for other driver
  /// errors (MEM-025).
  Block* malloc(std::uint64_t size, const StreamTag& stream);
  void free(Block* block);
  void record_stream(Block* block, const StreamTag& stream);

  /// Waits for pending events and releases all free segments (MEM-016).
  void empty_cache();
  /// Limits the allocator's total bytes on the device; empty for no limit (MEM-012).
  void set_limit(std::optional<std::uint64_t> bytes);

  DeviceStats stats();
  void reset_peak();
  void reset_accumulated();
  std::vector<SegmentView> segments();

  /// During the capture, allocations of the stream, and of streams that have joined the capture,
  /// use a private pool (MEM-023).
  std::shared_ptr<PrivatePool> capture_pool(const StreamTag& stream);
  /// The given pool for a further capture, on this stream now; a new one if it has no holder left.
  std::shared_ptr<PrivatePool> shared_pool(const std::shared_ptr<PrivatePool>& pool,
                                           const StreamTag& stream);
  void release_pool(PrivatePool& pool);

 private:
  struct Request {
    std::uint64_t size;     ///< the requested size
    std::uint64_t rounded;  ///< the size of the block
    std::uint64_t segment;  ///< the size of a new segment, if one is needed
    StreamTag stream;
    BlockPool* pool;
  };
  using Lock = std::unique_lock<std::recursive_mutex>;

  Request request_of(std::uint64_t size, const StreamTag& stream);
  BlockPool& pool_for(std::uint64_t rounded, const StreamTag& stream);

  // Sources of a block, in the order of MEM-011.
  Block* find_free(const Request& request);
  bool run_free_callbacks();
  Code driver_malloc(Address& address, std::uint64_t size);
  Block* new_segment(const Request& request);
  Block* after_freeing_memory(const Request& request);
  Block* hand_out(Block* block, const Request& request);
  bool should_split(const Block& block, const Request& request) const;
  void split(Block* block, std::uint64_t size);
  [[noreturn]] void fail(const Request& request, Lock& lock);

  // Steps after a block is freed.
  void poll_events();
  void record_deferred_events();
  void put_back(Block* block);
  Block* make_block(Segment& segment, Address address, std::uint64_t size);
  std::uint64_t merge(Block* block, Block* neighbour);
  void poison(const Block& block);
  void return_segment(Block* block);
  void return_free_segments(BlockPool& pool);
  void release_cached();
  bool release_oversize(const Request& request);
  void collect_garbage();

  bool may_reserve(std::uint64_t bytes) const;
  std::uint64_t bytes_in_private_pools() const;

  Runtime& runtime_;
  Driver& driver_;
  int device_;
  const AllocatorSettings& settings_;
  DeviceBytes& bytes_;
  std::recursive_mutex mutex_;

  PoolPair pools_;
  std::vector<std::shared_ptr<PrivatePool>> private_pools_;
  std::map<Address, std::unique_ptr<Segment>> segments_;
  std::unordered_map<const Block*, std::unique_ptr<Block>> blocks_;
  EventQueue events_;
  std::vector<Block*> deferred_;  ///< freed during a capture; their events are recorded afterwards
  std::optional<std::uint64_t> limit_;
  std::uint64_t reserved_ = 0;
  DeviceStats stats_;
};

}  // namespace assay::reference
