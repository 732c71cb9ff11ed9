// Blocks that are freed while other streams still use them, behind one event each use (MEM-007).
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "reference/memory/block.hpp"
#include "reference/memory/event_pool.hpp"

namespace assay::reference {

/// Of one device's allocator, under its lock. `on_last` is called for a block whose last event is
/// complete; nothing refers to it any more then.
class EventQueue {
 public:
  using OnLast = std::function<void(Block* block)>;

  explicit EventQueue(Runtime& runtime)
      : runtime_(runtime), driver_(driver_of(runtime)), spare_(runtime) {}
  /// The driver is gone by then, or going, and its events with it.
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  /// Records one event now, at the end of each of the block's other streams, which are forgotten.
  /// Raises `device`, and then has done nothing.
  void add(Block* block);
  /// Looks at each stream's events, oldest first, up to the first that is not complete (MEM-008).
  void poll(const OnLast& on_last);
  /// Waits for all of them.
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
