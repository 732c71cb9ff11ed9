// Keeps used events for reuse; implements MEM-007 and MEM-008.
#include "reference/memory/event_queue.hpp"

#include <utility>

#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

EventPool::~EventPool() {
  for (auto& [device, events] : spare_) {
    for (OwnedEvent& event : events) event.release();
  }
}

OwnedEvent EventPool::take(int device) {
  std::vector<OwnedEvent>& events = spare_[device];
  if (events.empty()) return OwnedEvent(runtime_);
  OwnedEvent event = std::move(events.back());
  events.pop_back();
  return event;
}

void EventPool::put(int device, OwnedEvent event) { spare_[device].push_back(std::move(event)); }

// Blocks that other streams still use.

EventQueue::~EventQueue() {
  for (auto& [stream, queue] : queues_) {
    for (Use& use : queue) use.event.release();
  }
}

void EventQueue::add(Block* block) {
  struct Recorded {
    StreamTag user;
    int device;
    OwnedEvent event;
  };
  std::vector<Recorded> recorded;
  for (const StreamTag& user : block->users) {
    const ScopedDevice scope(runtime_, user.device);
    OwnedEvent event = spare_.take(user.device);
    event.record(user.handle);
    recorded.push_back({user, user.device, std::move(event)});
  }
  // No error from here on; before this line nothing was modified.
  block->users.clear();
  block->captured_users.clear();
  for (auto& [user, device, event] : recorded) {
    ++block->pending_events;
    queues_[user].push_back({device, std::move(event), block});
  }
}

void EventQueue::poll(const OnLast& on_last) {
  for (auto& [stream, queue] : queues_) {
    while (!queue.empty() && is_complete(queue.front().event.handle())) finish(queue, on_last);
  }
}

void EventQueue::wait(const OnLast& on_last) {
  for (auto& [stream, queue] : queues_) {
    while (!queue.empty()) {
      cuda_check(runtime_, driver_.event_sync(queue.front().event.handle()));
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

bool EventQueue::is_complete(EventHandle event) {
  return is_ready(runtime_, driver_.event_query(event));
}

void EventQueue::finish(Queue& queue, const OnLast& on_last) {
  Block* block = queue.front().block;
  spare_.put(queue.front().device, std::move(queue.front().event));
  queue.pop_front();
  if (--block->pending_events == 0) on_last(block);
}

}  // namespace assay::reference
