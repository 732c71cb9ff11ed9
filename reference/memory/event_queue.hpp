// Events of freed blocks: a pool of reusable ones for each device (MEM-026), and blocks that other
// streams still use, with one event for each use (MEM-007).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "reference/memory/block.hpp"
#include "reference/runtime/events/common.hpp"

namespace assay::reference {

/// Protected by its owner's lock.
class EventPool {
 public:
  explicit EventPool(Runtime& runtime) : runtime_(runtime) {}
  /// Leaks the events, since the driver may be shut down already.
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// Returns an event of the device, which must be current. Raises `device` if a new event is
  /// needed and the driver fails.
  OwnedEvent take(int device);
  void put(int device, OwnedEvent event);

 private:
  Runtime& runtime_;
  std::map<int, std::vector<OwnedEvent>> spare_;
};

// Blocks that other streams still use.

/// Belongs to one device's allocator and is protected by its lock. Calls `on_last` when a block's
/// last event is complete; by then the queue has no reference to the block.
class EventQueue {
 public:
  using OnLast = std::function<void(Block* block)>;

  explicit EventQueue(Runtime& runtime)
      : runtime_(runtime), driver_(driver_of(runtime)), spare_(runtime) {}
  /// Leaks the events, since the driver may be shut down already.
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  /// Records an event on each of the block's other streams and clears the list of streams. If it
  /// raises `device`, nothing has changed.
  void add(Block* block);
  /// Checks the events of each stream from the oldest to the first incomplete one (MEM-008).
  void poll(const OnLast& on_last);
  /// Waits for all events.
  void wait(const OnLast& on_last);
  bool empty() const;

 private:
  struct Use {
    int device;
    OwnedEvent event;
    Block* block;
  };
  using Queue = std::deque<Use>;

  bool is_complete(EventHandle event);
  void finish(Queue& queue, const OnLast& on_last);

  Runtime& runtime_;
  Driver& driver_;
  std::map<StreamTag, Queue> queues_;
  EventPool spare_;
};

}  // namespace assay::reference
