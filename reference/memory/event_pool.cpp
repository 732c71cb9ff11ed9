// Used events wait for their next use.
#include "reference/memory/event_pool.hpp"

#include <utility>

#include "reference/core/fault.hpp"

namespace assay::reference {

EventPool::~EventPool() {
  for (auto& [device, events] : spare_) {
    for (OwnedEvent& event : events) event.release();
  }
}

OwnedEvent EventPool::take(int device) {
  std::vector<OwnedEvent>& events = spare_[fault("memory_events_of_any_device") ? 0 : device];
  if (events.empty() || fault("memory_never_reuses_events")) return OwnedEvent(runtime_);
  OwnedEvent event = std::move(events.back());
  events.pop_back();
  return event;
}

void EventPool::put(int device, OwnedEvent event) {
  spare_[fault("memory_events_of_any_device") ? 0 : device].push_back(std::move(event));
}

}  // namespace assay::reference
