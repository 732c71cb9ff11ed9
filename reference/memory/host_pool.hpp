// The caching allocator of pinned host memory (MEM-028).
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "reference/memory/block.hpp"
#include "reference/memory/caching_allocator.hpp"
#include "reference/memory/event_queue.hpp"

namespace assay::reference {

/// Never splits blocks. Thread-safe.
class HostPool {
 public:
  /// An offset that leads from a block's address to one that is outside all blocks.
  static constexpr Address kForeign = Address{1} << 46;

  explicit HostPool(Runtime& runtime)
      : runtime_(runtime), driver_(driver_of(runtime)), spare_(runtime) {}
  /// Leaks the events, since the driver may be shut down already.
  ~HostPool();
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;

  /// Returns 0 for 0 bytes. First checks whether pending blocks have become free.
  Address allocate(std::uint64_t size);
  /// Records that the stream uses the block; returns false if no block begins at the address.
  bool record(Address address, const Stream& stream);
  /// The block is reusable at once, or after an event on each recorded stream. Ignores 0. Raises
  /// `error` for an unallocated address, and `device` if an event fails; the block then stays
  /// allocated.
  void free(Address address);
  /// MEM-031. Raises `device` at the first block that the driver does not free; it stays cached.
  void empty_cache();
  /// Describes an allocated block; all zero for other addresses.
  BlockFacts facts_of(Address address);

 private:
  struct Use {
    int device;
    OwnedEvent event;
  };
  struct HostBlock {
    Address address = 0;
    std::uint64_t size = 0;
    std::uint64_t requested = 0;
    bool is_allocated = false;
    bool is_spent = false;      ///< never reused
    std::uint64_t capture = 0;  ///< whose pool it belongs to (MEM-030); 0: none
    std::vector<StreamTag> users = {};
    std::vector<Use> events = {};  ///< recorded when it was freed; may be incomplete
  };

  std::uint64_t rounded(std::uint64_t size) const;
  void poll_events();
  bool is_idle(HostBlock& block);
  std::uint64_t capture_here() const;
  HostBlock* find_free(std::uint64_t size, std::uint64_t capture);
  Address from_driver(std::uint64_t size, bool is_relaxed);
  Use record_event(const StreamTag& stream);

  Runtime& runtime_;
  Driver& driver_;
  std::recursive_mutex mutex_;
  std::map<Address, HostBlock> blocks_;
  EventPool spare_;
};

/// Created at its first use and kept until the next reset.
HostPool& host_pool_of(Runtime& runtime);

}  // namespace assay::reference
