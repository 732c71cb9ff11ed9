// MEM-007, MEM-008.
#include "reference/memory/event_queue.hpp"

#include <utility>

#include "reference/core/fault.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

void EventQueue::add(Block* block) {
  const std::vector<StreamTag> users = std::exchange(block->users, {});
  block->captured_users.clear();
  for (const StreamTag& user : users) {
    const StreamTag& on = fault("memory_event_on_the_own_stream") ? block->segment->stream : user;
    const ScopedDevice scope(runtime_, on.device);
    const EventHandle event = take_event();
    const Code code = driver_.event_record(event, on.handle);
    if (code != Code::kSuccess) spare_.push_back(event);
    cuda_check(runtime_, code);
    ++block->pending_events;
    queues_[fault("memory_one_queue_for_all_streams") ? StreamTag{} : user].push_back(
        {event, block});
    if (fault("memory_event_for_one_user_only")) break;
  }
}

void EventQueue::poll(const OnLast& on_last) {
  if (fault("memory_never_looks_at_events")) return;
  for (auto& [stream, queue] : queues_) {
    while (!queue.empty() && is_complete(queue.front().event)) finish(queue, on_last);
  }
}

void EventQueue::wait(const OnLast& on_last) {
  for (auto& [stream, queue] : queues_) {
    while (!queue.empty()) {
      if (!fault("memory_frees_without_waiting")) {
        cuda_check(runtime_, driver_.event_sync(queue.front().event));
      }
      finish(queue, on_last);
    }
  }
}

bool EventQueue::empty() const {
  for (const auto& [stream, queue] : queues_) {
    if (!queue.empty()) return false;
  }
  return true;
}

EventHandle EventQueue::take_event() {
  EventHandle event = 0;
  if (!spare_.empty() && !fault("memory_never_reuses_events")) {
    event = spare_.back();
    spare_.pop_back();
    return event;
  }
  const auto flags = static_cast<unsigned>(EventFlags::kDisableTiming);
  cuda_check(runtime_, driver_.event_create(event, flags));
  return event;
}

bool EventQueue::is_complete(EventHandle event) {
  return is_ready(runtime_, driver_.event_query(event)) ||
         fault("memory_takes_pending_for_complete");
}

void EventQueue::finish(Queue& queue, const OnLast& on_last) {
  const Use use = queue.front();
  queue.pop_front();
  spare_.push_back(use.event);
  if (--use.block->pending_events == 0) on_last(use.block);
}

}  // namespace assay::reference
