// Pinned host memory, kept for reuse (MEM-028).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "reference/memory/block.hpp"
#include "reference/memory/caching_allocator.hpp"
#include "reference/memory/event_pool.hpp"

namespace assay::reference {

/// Blocks are never split. Any thread may use it.
class HostPool {
 public:
  /// So far from a block of ours that the address is not ours.
  static constexpr Address kForeign = Address{1} << 46;

  explicit HostPool(Runtime& runtime)
      : runtime_(runtime), driver_(driver_of(runtime)), spare_(runtime) {}
  /// The driver is gone by then, or going, and its events with it.
  ~HostPool();
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;

  /// 0 for no bytes. Looks first at what freed blocks wait for.
  Address allocate(std::uint64_t size);
  /// The stream uses the block that begins there; false, and nothing happens, where none does.
  bool record(Address address, const Stream& stream);
  /// Reusable at once, or behind one event now on each stream that was recorded. 0 is nothing;
  /// raises `error` for what is not allocated, and `device` when an event fails: then it is not
  /// freed.
  void free(Address address);
  /// Of an allocated block; all zero for others.
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
    std::vector<StreamTag> users = {};
    std::vector<Use> events = {};  ///< freed, and these may not be complete
  };

  std::uint64_t rounded(std::uint64_t size) const;
  void poll_events();
  bool is_idle(HostBlock& block);
  HostBlock* find_free(std::uint64_t size);
  Use record_event(const StreamTag& stream);

  Runtime& runtime_;
  Driver& driver_;
  std::recursive_mutex mutex_;
  std::map<Address, HostBlock> blocks_;
  EventPool spare_;
};

/// Made at first use, and kept until the next reset.
HostPool& host_pool_of(Runtime& runtime);

}  // namespace assay::reference
