// The order in which simulated devices may complete what they are given: queues, versions of
// events, gates, and no other rule anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::reference {

/// Names that the owner chooses, unique among their kind; 0 is none.
using ItemId = std::uint64_t;
using QueueId = std::uint64_t;
using EventId = std::uint64_t;
using GateId = std::uint64_t;

/// Of what has failed.
inline constexpr GateId kGateThatNeverOpens = ~GateId{0};

enum class QueueKind {
  kLegacy,       ///< one of each device
  kBlocking,     ///< ordered with the legacy queue of its device (ORD-A5)
  kNonBlocking,  ///< ordered with nothing but itself
};

/// A value: copy it to try something out. Items are what a queue completes one after another. What
/// an item has to wait for is decided when it is submitted, and only the owner completes items.
class Machine {
 public:
  void add_queue(QueueId queue, int device, QueueKind kind);
  /// Nothing comes into it any more; what is in it completes as if it were still there.
  void close_queue(QueueId queue);

  /// With a gate it cannot complete before that is open (ORD-A8).
  void submit(ItemId item, QueueId queue, GateId gate = 0);
  /// Its completion is the event's new version (EVT-010).
  void record(ItemId item, QueueId queue, EventId event);
  /// Follows the version that the event has now, if it has one (ORD-A4).
  void wait(ItemId item, QueueId queue, EventId event);
  /// Now or before an item with that gate comes.
  void open(GateId gate);
  void forget_event(EventId event);

  // What a host call that comes now observes or waits for: items that must be complete (ORD-A6,
  // ORD-A7).
  std::vector<ItemId> version_of(EventId event) const;
  std::vector<ItemId> work_of_queue(QueueId queue) const;
  std::vector<ItemId> work_of_device(int device) const;
  bool is_event_ready(EventId event) const;
  bool is_queue_idle(QueueId queue) const;

  /// Of an item that was submitted.
  bool is_complete(ItemId item) const { return find(item) == nullptr; }
  bool are_complete(const std::vector<ItemId>& items) const;
  bool can_complete(ItemId item) const;
  /// In the order of submission.
  std::vector<ItemId> completable() const;
  /// `can_complete(item)`.
  void complete(ItemId item);
  /// It has failed: neither it nor what follows it ever completes (FLT-010).
  void stop(ItemId item);

  /// Items that are not complete, in the order of submission.
  std::vector<ItemId> pending() const;
  std::vector<ItemId> pending_of(QueueId queue) const;
  std::size_t pending_count() const { return pending_.size(); }
  /// Those of `items` that are pending, and all that they wait for.
  std::vector<ItemId> needed(const std::vector<ItemId>& items) const;
  /// What the item itself still waits for.
  const std::vector<ItemId>& predecessors(ItemId item) const;
  /// Pending items that wait for it.
  std::vector<ItemId> followers(ItemId item) const;
  /// The gate that holds it back by itself, 0 if none does.
  GateId gate_of(ItemId item) const;
  /// Queues whose last item the next item of `queue` follows (ORD-A3, ORD-A5); itself among them.
  std::vector<QueueId> joined(QueueId queue) const;

  /// Appends numbers that are the same for two machines of the same queues exactly if they go on in
  /// the same way.
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

  std::vector<Item> pending_;  ///< in the order of submission
  std::vector<Queue> queues_;
  std::vector<Version> versions_;
  std::vector<GateId> opened_;
};

}  // namespace assay::reference
