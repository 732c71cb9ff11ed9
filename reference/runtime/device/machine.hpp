// The ordering model of the simulated devices: queues, event versions and gates. All ordering rules
// are here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::reference {

/// Ids that the owner assigns, unique for each kind; 0 means none.
using ItemId = std::uint64_t;
using QueueId = std::uint64_t;
using EventId = std::uint64_t;
using GateId = std::uint64_t;

/// The gate of failed items.
inline constexpr GateId kGateThatNeverOpens = ~GateId{0};

enum class QueueKind {
  kLegacy,       ///< one for each device
  kBlocking,     ///< ordered with the legacy queue of its device (ORD-A5)
  kNonBlocking,  ///< ordered only with itself
};

/// A value type. Items are the operations of a queue, which complete in order. An item's
/// dependencies are fixed when it is submitted; only the owner completes items.
class Machine {
 public:
  void add_queue(QueueId queue, int device, QueueKind kind);
  /// No items may be added afterwards; those in the queue complete normally.
  void close_queue(QueueId queue);

  /// With a gate, the item cannot complete before the gate is open (ORD-A8).
  void submit(ItemId item, QueueId queue, GateId gate = 0);
  /// Completion of the item defines the event's new version (EVT-010).
  void record(ItemId item, QueueId queue, EventId event);
  /// Waits for the event's present version, if there is one (ORD-A4).
  void wait(ItemId item, QueueId queue, EventId event);
  /// May be called before or after items with the gate are submitted.
  void open(GateId gate);
  void forget_event(EventId event);

  // Items that must be complete for a host
  // call at this point (ORD-A6, ORD-A7).
  std::vector<ItemId> version_of(EventId event) const;
  std::vector<ItemId> work_of_queue(QueueId queue) const;
  std::vector<ItemId> work_of_device(int device) const;
  bool is_event_ready(EventId event) const;
  bool is_queue_idle(QueueId queue) const;

  /// For a submitted item.
  bool is_complete(ItemId item) const { return find(item) == nullptr; }
  bool are_complete(const std::vector<ItemId>& items) const;
  bool can_complete(ItemId item) const;
  /// In submission order.
  std::vector<ItemId> completable() const;
  /// Requires `can_complete(item)`.
  void complete(ItemId item);
  /// Marks the item as failed: neither it nor its successors ever complete (FLT-010).
  void stop(ItemId item);

  /// Incomplete items, in submission order.
  std::vector<ItemId> pending() const;
  std::vector<ItemId> pending_of(QueueId queue) const;
  std::size_t pending_count() const { return pending_.size(); }
  /// The pending ones of `items` with all their pending predecessors.
  std::vector<ItemId> needed(const std::vector<ItemId>& items) const;
  /// Pending items that wait for it.
  std::vector<ItemId> followers(ItemId item) const;
  /// The item's own gate; 0 if it has none or the gate is open.
  GateId gate_of(ItemId item) const;
  /// Queues whose last item precedes the next item of `queue` (ORD-A3, ORD-A5), including itself.
  std::vector<QueueId> joined(QueueId queue) const;

  /// Appends a canonical description: equal for two machines of the same queues exactly if they
  /// have the same continuations.
  void describe(std::vector<std::uint64_t>& numbers) const;

 private:
  struct Item {
    ItemId id;
    QueueId queue;
    GateId gate;
    std::vector<ItemId> after = {};  ///< pending ones only
  };
  struct Queue {
    QueueId id;
    int device;
    QueueKind kind;
    ItemId last = 0;
    bool is_closed = false;
  };
  struct Version {
    EventId event;
    ItemId item;
  };

  const Item* find(ItemId item) const;
  Item& add(ItemId item, QueueId queue);
  void follow(Item& item, ItemId before) const;
  const Queue& queue_of(QueueId queue) const;
  Queue& queue_of(QueueId queue);
  bool are_joined(const Queue& from, const Queue& to) const;
  const Version* find_version(EventId event) const;
  ItemId newest(EventId event) const;
  bool can_complete(const Item& item) const;

  std::vector<Item> pending_;  ///< in submission order
  std::vector<Queue> queues_;
  std::vector<Version> versions_;
  std::vector<GateId> opened_;
};

}  // namespace assay::reference
