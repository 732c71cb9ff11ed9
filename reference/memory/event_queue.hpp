// Freed blocks that other streams still use, with one event for each use (MEM-007).
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "reference/memory/block.hpp"
#include "reference/memory/event_pool.hpp"

namespace assay::reference {

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
