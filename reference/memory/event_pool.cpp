// Keeps used events for reuse.
#include "reference/memory/event_pool.hpp"

#include <utility>

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

}  // namespace assay::reference
