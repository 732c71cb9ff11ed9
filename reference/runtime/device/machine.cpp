// Implements the ordering model.
#include "reference/runtime/device/machine.hpp"

#include <algorithm>

namespace assay::reference {
namespace {

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
  if (!contains(opened_, gate)) added.gate = gate;
}

void Machine::record(ItemId item, QueueId queue, EventId event) {
  add(item, queue);
  forget_event(event);
  versions_.push_back({event, item});
}

void Machine::wait(ItemId item, QueueId queue, EventId event) {
  Item& added = add(item, queue);
  follow(added, newest(event));
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

std::vector<ItemId> Machine::version_of(EventId event) const { return one(newest(event)); }

std::vector<ItemId> Machine::work_of_queue(QueueId queue) const {
  return one(queue_of(queue).last);
}

std::vector<ItemId> Machine::work_of_device(int device) const {
  std::vector<ItemId> items;
  for (const Queue& queue : queues_) {
    if (queue.last != 0 && queue.device == device) items.push_back(queue.last);
  }
  return items;
}

bool Machine::is_event_ready(EventId event) const { return are_complete(version_of(event)); }

bool Machine::is_queue_idle(QueueId queue) const { return are_complete(work_of_queue(queue)); }

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
    if (i.id == item) i.gate = kGateThatNeverOpens;
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
    if (!contains(found, item->id)) continue;  // successors come later in submission order
    found.insert(found.end(), item->after.begin(), item->after.end());
  }
  std::vector<ItemId> in_order;
  for (const Item& item : pending_) {
    if (contains(found, item.id)) in_order.push_back(item.id);
  }
  return in_order;
}

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
    numbers.insert(numbers.end(), {item->id, item->gate, after.size()});
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

/// Complete items need no edge.
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

/// Returns whether the next item of `to` must follow the last item of `from`.
bool Machine::are_joined(const Queue& from, const Queue& to) const {
  if (from.id == to.id) return true;  // ORD-A3
  if (from.device != to.device) return false;
  return (from.kind == QueueKind::kLegacy && to.kind == QueueKind::kBlocking) ||
         (from.kind == QueueKind::kBlocking && to.kind == QueueKind::kLegacy);  // ORD-A5
}

const Machine::Version* Machine::find_version(EventId event) const {
  const auto found = std::find_if(versions_.begin(), versions_.end(),
                                  [&](const Version& v) { return v.event == event; });
  return found == versions_.end() ? nullptr : &*found;
}

ItemId Machine::newest(EventId event) const {
  const Version* found = find_version(event);
  return found == nullptr ? 0 : found->item;
}

bool Machine::can_complete(const Item& item) const { return item.gate == 0 && item.after.empty(); }

}  // namespace assay::reference
