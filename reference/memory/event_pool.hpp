// Events that are used again and again, each on its own device (MEM-026).
#pragma once

#include <map>
#include <vector>

#include "reference/runtime/events/owned_event.hpp"

namespace assay::reference {

/// Under its owner's lock.
class EventPool {
 public:
  explicit EventPool(Runtime& runtime) : runtime_(runtime) {}
  /// The driver is gone by then, or going, and its events with it.
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// Of the device, which must be current. Raises `device` when there has to be a new one and the
  /// driver fails.
  OwnedEvent take(int device);
  void put(int device, OwnedEvent event);

 private:
  Runtime& runtime_;
  std::map<int, std::vector<OwnedEvent>> spare_;
};

}  // namespace assay::reference
