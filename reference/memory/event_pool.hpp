// A pool of reusable events for each device (MEM-026).
#pragma once

#include <map>
#include <vector>

#include "reference/runtime/events/common.hpp"

namespace assay::reference {

/// Protected by its owner's lock.
class EventPool {
 public:
  explicit EventPool(Runtime& runtime) : runtime_(runtime) {}
  /// Leaks the events, since the driver may be shut down already.
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// Returns an event of the device, which must be current. Raises `device` if a new event is
  /// needed and the driver fails.
  OwnedEvent take(int device);
  void put(int device, OwnedEvent event);

 private:
  Runtime& runtime_;
  std::map<int, std::vector<OwnedEvent>> spare_;
};

}  // namespace assay::reference
