// Wrong models of the machine, one switched on at a time: what the suites have to notice.
#include <algorithm>

#include "reference/core/fault.hpp"
#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// `before` is what the event stood for until now, null if it was never recorded.
void Machine::record_wrongly(Version& version, const Version* before) {
  Item& item = pending_.back();
  Queue& queue = queue_of(item.queue);
  version.wrong.queue = item.queue;
  version.wrong.first = before == nullptr ? item.id : before->wrong.first;
  if (before != nullptr && fault("order_record_again_changes_nothing")) version = *before;
  if (fault("order_record_is_unordered")) item.after.clear();
  if (fault("order_record_ignores_waits")) {
    item.after.clear();
    for (const Item& earlier : pending_) {
      if (earlier.queue != item.queue || earlier.id == item.id || earlier.wrong.is_wait) continue;
      item.after = {earlier.id};
    }
  }
  if (!fault("order_record_completes_at_once")) return;
  queue.last = queue.before_last;
  pending_.pop_back();
}

void Machine::wait_wrongly(EventId event) {
  Item& item = pending_.back();
  Queue& queue = queue_of(item.queue);
  auto known = std::find_if(versions_.begin(), versions_.end(),
                            [&](const Version& v) { return v.event == event; });
  if (known == versions_.end()) {
    if (fault("order_wait_of_unrecorded_waits")) item.wrong.newest_of = event;
    return;
  }
  const ItemId captured = known->item;
  item.wrong.is_wait = true;
  item.wrong.captured = captured;
  if (fault("order_wait_does_nothing")) std::erase(item.after, captured);
  if (fault("order_wait_binds_to_newest")) item.wrong.newest_of = event;
  if (fault("order_wait_binds_to_first")) {
    std::erase(item.after, captured);
    follow(item, known->wrong.first);
  }
  if (known->wrong.has_waiter && fault("order_wait_releases_one")) item.gate = kGateThatNeverOpens;
  known->wrong.has_waiter = true;
  if (fault("order_wait_holds_only_itself")) queue.last = queue.before_last;
  for (Item& earlier : pending_) {
    if (!fault("order_wait_replaces_the_wait_before")) break;
    if (earlier.queue != item.queue || earlier.id == item.id || !earlier.wrong.is_wait) continue;
    std::erase(earlier.after, earlier.wrong.captured);
  }
  if (const Item* version = find(captured)) wait_wrongly_for(*version);
}

/// `version` is not complete yet.
void Machine::wait_wrongly_for(const Item& version) {
  Item& item = pending_.back();
  if (version.queue == item.queue) {
    if (fault("order_self_wait_deadlocks")) item.gate = kGateThatNeverOpens;
    return;
  }
  const int device = queue_of(item.queue).device;
  if (queue_of(version.queue).device != device && fault("order_wait_across_devices_does_nothing")) {
    std::erase(item.after, version.id);
  }
  for (Item& earlier : pending_) {
    const bool is_earlier = earlier.queue == item.queue && earlier.id != item.id;
    if (is_earlier && fault("order_wait_holds_earlier_work")) follow(earlier, version.id);
  }
}

void Machine::release_wrongly(ItemId item) {
  for (Item& other : pending_) {
    if (other.wrong.captured == item) std::erase(other.after, item);
  }
}

void Machine::add_wrongly(Item& item, const Queue& queue) const {
  // Two queues that take turns.
  if (fault("order_stream_is_two_queues")) follow(item, queue.before_last);
}

std::optional<bool> Machine::joined_wrongly(const Queue& from, const Queue& to) const {
  const auto legacy = [](const Queue& queue) { return queue.kind == QueueKind::kLegacy; };
  const auto blocks = [](const Queue& queue) { return queue.kind == QueueKind::kBlocking; };
  const auto alone = [](const Queue& queue) { return queue.kind == QueueKind::kNonBlocking; };
  if (from.id == to.id) {
    if (fault("order_stream_is_two_queues")) return false;
    return std::nullopt;
  }
  if (from.device != to.device) {
    const bool is_pair = blocks(from) && legacy(to);
    if (is_pair && fault("order_legacy_waits_for_other_devices")) return true;
    return std::nullopt;
  }
  if (blocks(from) && legacy(to) && fault("order_legacy_passes_blocking")) return false;
  if (legacy(from) && blocks(to) && fault("order_blocking_passes_legacy")) return false;
  if (alone(from) && legacy(to) && fault("order_legacy_waits_for_non_blocking")) return true;
  if (legacy(from) && alone(to) && fault("order_non_blocking_waits_for_legacy")) return true;
  if (blocks(from) && blocks(to) && fault("order_blocking_streams_in_order")) return true;
  return std::nullopt;
}

std::optional<bool> Machine::event_ready_wrongly(EventId event) const {
  const Version* version = find_version(event);
  if (fault("order_query_always_true")) return true;
  if (version == nullptr && fault("order_query_unrecorded_is_false")) return false;
  if (version != nullptr && fault("order_query_never_true")) return false;
  if (version != nullptr && fault("order_query_of_first_version")) {
    return is_complete(version->wrong.first);
  }
  if (version != nullptr && fault("order_sync_of_first_version")) {
    return is_complete(version->item);  // the query is right
  }
  return std::nullopt;
}

std::optional<bool> Machine::queue_idle_wrongly(const Queue& queue) const {
  if (fault("order_stream_query_always_true")) return true;
  if (queue.last != 0 && fault("order_stream_query_never_true")) return false;
  if (fault("order_stream_query_looks_at_the_device")) {
    return are_complete(work_of_device(queue.device));
  }
  return std::nullopt;
}

std::optional<std::vector<ItemId>> Machine::version_wrongly(EventId event) const {
  const Version* version = find_version(event);
  if (version == nullptr) return std::nullopt;
  if (fault("order_sync_of_first_version")) return std::vector<ItemId>{version->wrong.first};
  if (fault("order_record_covers_later_work")) return work_of_queue(version->wrong.queue);
  return std::nullopt;
}

/// Does a wait for the device leave this queue out? Rightly if it is another device's.
bool Machine::is_left_out(const Queue& queue, int device) const {
  if (queue.kind == QueueKind::kNonBlocking && fault("order_device_sync_leaves_out_non_blocking")) {
    return true;
  }
  if (queue.kind == QueueKind::kBlocking && fault("order_device_sync_leaves_out_blocking")) {
    return true;
  }
  return queue.device != device && !fault("order_device_sync_waits_for_every_device");
}

}  // namespace assay::reference
