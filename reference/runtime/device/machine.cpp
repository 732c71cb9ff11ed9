// What follows what on simulated devices.
#include "reference/runtime/device/machine.hpp"

#include <algorithm>
#include <limits>

#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

constexpr GateId kNeverOpens = std::numeric_limits<GateId>::max();

template <typename T>
bool contains(const std::vector<T>& list, T wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

std::vector<ItemId> one(ItemId item) {
  return item == 0 ? std::vector<ItemId>{} : std::vector<ItemId>{item};
}

}  // namespace

void Machine::add_queue(QueueId queue, int device, QueueKind kind) {
  queues_.push_back({queue, device, kind});
}

void Machine::close_queue(QueueId queue) {
  queue_of(queue).is_closed = true;
  std::erase_if(queues_, [&](const Queue& q) { return q.is_closed && is_complete(q.last); });
}

void Machine::submit(ItemId item, QueueId queue, GateId gate) {
  Item& added = add(item, queue);
  if (!contains(opened_, gate) && !fault("gate_holds_nothing")) added.gate = gate;
}

void Machine::record(ItemId item, QueueId queue, EventId event) {
  const ItemId before = newest(event);
  const ItemId last = queue_of(queue).last;
  Item& added = add(item, queue);
  if (fault("record_is_unordered")) added.after.clear();
  if (fault("record_completes_at_once")) {
    queue_of(queue).last = last;
    pending_.pop_back();
  }
  if (before != 0 && fault("record_again_keeps_the_first_version")) return;
  std::erase_if(versions_, [&](const Version& v) { return v.event == event; });
  versions_.push_back({event, item});
}

void Machine::wait(ItemId item, QueueId queue, EventId event) {
  const ItemId last = queue_of(queue).last;
  Item& added = add(item, queue);
  follow(added, newest(event));
  if (fault("edge_of_event_is_lost_behind_the_wait")) queue_of(queue).last = last;
#ifdef ASSAY_WITH_FAULTS
  wait_wrongly(added, event);
#endif
}

void Machine::open(GateId gate) {
  opened_.push_back(gate);
  for (Item& item : pending_) {
    if (item.gate == gate) item.gate = 0;
  }
}

void Machine::forget_event(EventId event) {
  std::erase_if(versions_, [&](const Version& v) { return v.event == event; });
}

std::vector<ItemId> Machine::version_of(EventId event) const {
  const ItemId item = newest(event);
  if (item != 0 && fault("event_covers_later_work") && !is_complete(item)) {
    return one(queue_of(find(item)->queue).last);
  }
  return one(item);
}

std::vector<ItemId> Machine::work_of_queue(QueueId queue) const {
  return one(queue_of(queue).last);
}

std::vector<ItemId> Machine::work_of_device(int device) const {
  std::vector<ItemId> items;
  for (const Queue& queue : queues_) {
    if (queue.device != device && !fault("device_wait_covers_every_device")) continue;
    if (queue.kind == QueueKind::kNonBlocking && fault("device_wait_misses_non_blocking")) continue;
    if (queue.kind == QueueKind::kBlocking && fault("device_wait_misses_blocking")) continue;
    if (queue.last != 0) items.push_back(queue.last);
  }
  return items;
}

bool Machine::is_event_ready(EventId event) const {
  if (fault("event_query_is_always_true")) return true;
  if (fault("event_query_is_always_false")) return newest(event) == 0;
  if (newest(event) == 0 && fault("event_never_recorded_is_not_ready")) return false;
  return are_complete(version_of(event));
}

bool Machine::is_queue_idle(QueueId queue) const {
  if (fault("stream_query_is_always_true")) return true;
  if (fault("stream_query_is_always_false")) return queue_of(queue).last == 0;
  if (fault("stream_query_looks_at_the_device")) {
    return are_complete(work_of_device(queue_of(queue).device));
  }
  return are_complete(work_of_queue(queue));
}

bool Machine::are_complete(const std::vector<ItemId>& items) const {
  return std::all_of(items.begin(), items.end(), [&](ItemId item) { return is_complete(item); });
}

bool Machine::can_complete(ItemId item) const {
  const Item* found = find(item);
  return found != nullptr && can_complete(*found);
}

std::vector<ItemId> Machine::completable() const {
  std::vector<ItemId> items;
  for (const Item& item : pending_) {
    if (can_complete(item)) items.push_back(item.id);
  }
  return items;
}

void Machine::complete(ItemId item) {
  std::erase_if(pending_, [&](const Item& i) { return i.id == item; });
  for (Item& other : pending_) std::erase(other.after, item);
  std::erase_if(queues_, [&](const Queue& q) { return q.is_closed && q.last == item; });
}

void Machine::stop(ItemId item) {
  for (Item& i : pending_) {
    if (i.id == item) i.gate = kNeverOpens;
  }
}

std::vector<ItemId> Machine::pending() const {
  std::vector<ItemId> items;
  for (const Item& item : pending_) items.push_back(item.id);
  return items;
}

std::vector<ItemId> Machine::pending_of(QueueId queue) const {
  std::vector<ItemId> items;
  for (const Item& item : pending_) {
    if (item.queue == queue) items.push_back(item.id);
  }
  return items;
}

std::vector<ItemId> Machine::needed(const std::vector<ItemId>& items) const {
  std::vector<ItemId> found = items;
  for (auto item = pending_.rbegin(); item != pending_.rend(); ++item) {
    if (!contains(found, item->id)) continue;  // whoever follows it was submitted later
    found.insert(found.end(), item->after.begin(), item->after.end());
  }
  std::vector<ItemId> in_order;
  for (const Item& item : pending_) {
    if (contains(found, item.id)) in_order.push_back(item.id);
  }
  return in_order;
}

const std::vector<ItemId>& Machine::predecessors(ItemId item) const { return find(item)->after; }

std::vector<ItemId> Machine::followers(ItemId item) const {
  std::vector<ItemId> items;
  for (const Item& other : pending_) {
    if (contains(other.after, item)) items.push_back(other.id);
  }
  return items;
}

GateId Machine::gate_of(ItemId item) const {
  const Item* found = find(item);
  return found == nullptr ? 0 : found->gate;
}

std::vector<QueueId> Machine::joined(QueueId queue) const {
  std::vector<QueueId> others;
  for (const Queue& other : queues_) {
    if (are_joined(other, queue_of(queue))) others.push_back(other.id);
  }
  return others;
}

void Machine::describe(std::vector<std::uint64_t>& numbers) const {
  std::vector<const Item*> items;
  for (const Item& item : pending_) items.push_back(&item);
  std::sort(items.begin(), items.end(),
            [](const Item* left, const Item* right) { return left->id < right->id; });
  numbers.push_back(items.size());
  for (const Item* item : items) {
    std::vector<ItemId> after = item->after;
    std::sort(after.begin(), after.end());
    numbers.insert(numbers.end(), {item->id, item->gate, item->newest_of, after.size()});
    numbers.insert(numbers.end(), after.begin(), after.end());
  }
  for (const Queue& queue : queues_) {
    numbers.push_back(is_complete(queue.last) ? 0 : queue.last);
  }
  std::vector<std::uint64_t> known;
  for (const Version& version : versions_) {
    known.push_back(version.event << 32 | (is_complete(version.item) ? 0 : version.item));
  }
  std::sort(known.begin(), known.end());
  numbers.push_back(known.size());
  numbers.insert(numbers.end(), known.begin(), known.end());
  known = opened_;
  std::sort(known.begin(), known.end());
  numbers.insert(numbers.end(), known.begin(), known.end());
}

const Machine::Item* Machine::find(ItemId item) const {
  const auto found =
      std::find_if(pending_.begin(), pending_.end(), [&](const Item& i) { return i.id == item; });
  return found == pending_.end() ? nullptr : &*found;
}

Machine::Item& Machine::add(ItemId item, QueueId queue) {
  Queue& own = queue_of(queue);
  Item added{item, queue, 0};
  for (const Queue& other : queues_) {
    if (are_joined(other, own)) follow(added, other.last);
  }
  own.last = item;
  pending_.push_back(std::move(added));
  return pending_.back();
}

/// What is complete needs no edge.
void Machine::follow(Item& item, ItemId before) const {
  if (before == 0 || is_complete(before) || contains(item.after, before)) return;
  item.after.push_back(before);
}

const Machine::Queue& Machine::queue_of(QueueId queue) const {
  return *std::find_if(queues_.begin(), queues_.end(),
                       [&](const Queue& q) { return q.id == queue; });
}

Machine::Queue& Machine::queue_of(QueueId queue) {
  return *std::find_if(queues_.begin(), queues_.end(),
                       [&](const Queue& q) { return q.id == queue; });
}

/// Does the next item of `to` follow the last item of `from`?
bool Machine::are_joined(const Queue& from, const Queue& to) const {
  if (from.id == to.id) return !fault("queue_is_not_in_order");  // ORD-A3
  if (from.device != to.device && !fault("legacy_stream_joins_every_device")) return false;
  const auto is = [](const Queue& queue, QueueKind kind) { return queue.kind == kind; };
  const auto blocks = [&](const Queue& queue) {
    return is(queue, QueueKind::kBlocking) ||
           (is(queue, QueueKind::kNonBlocking) && fault("legacy_stream_joins_non_blocking"));
  };
  if (blocks(from) && blocks(to)) return fault("blocking_streams_join_each_other");
  const bool legacy_waits = blocks(from) && is(to, QueueKind::kLegacy);
  const bool legacy_goes_first = is(from, QueueKind::kLegacy) && blocks(to);
  return (legacy_waits && !fault("legacy_stream_does_not_wait_for_blocking")) ||  // ORD-A5
         (legacy_goes_first && !fault("blocking_stream_does_not_wait_for_legacy"));
}

ItemId Machine::newest(EventId event) const {
  const auto found = std::find_if(versions_.begin(), versions_.end(),
                                  [&](const Version& v) { return v.event == event; });
  return found == versions_.end() ? 0 : found->item;
}

bool Machine::can_complete(const Item& item) const {
  if (item.newest_of != 0) {
    const ItemId version = newest(item.newest_of);
    if (version == 0 || !is_complete(version)) return false;
  }
  return item.gate == 0 && item.after.empty();
}

/// Wrong models of a wait, each switched on by its name.
void Machine::wait_wrongly(Item& item, EventId event) {
  const ItemId captured = newest(event);
  if (fault("wait_does_nothing")) std::erase(item.after, captured);
  if (fault("wait_binds_to_the_newest_version") && captured != 0) {
    std::erase(item.after, captured);
    item.newest_of = event;
  }
  if (fault("wait_for_a_later_record") && captured == 0) item.newest_of = event;
  const Item* version = find(captured);
  if (version == nullptr) return;
  const bool is_same_queue = version->queue == item.queue;
  const bool is_same_device = queue_of(version->queue).device == queue_of(item.queue).device;
  if (!is_same_device && fault("wait_across_devices_does_nothing"))
    std::erase(item.after, captured);
  if (is_same_queue && fault("wait_in_the_same_stream_blocks")) item.gate = kNeverOpens;
  if (is_same_queue || !fault("wait_holds_earlier_work_too")) return;
  for (Item& earlier : pending_) {
    if (earlier.queue == item.queue) follow(earlier, captured);
  }
}

}  // namespace assay::reference
