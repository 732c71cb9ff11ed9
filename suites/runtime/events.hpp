// Helpers for cases of events that are moved or fail.
#pragma once

#include "suites/runtime/support.hpp"

namespace assay::suites {

/// A generic event with timing for this type of device.
inline EventObject timed_generic(Session& subject, const std::string& type = "hip") {
  return subject.runtime().event({.api = "generic", .device = type, .flag = "backend_default"});
}

/// Checks that nothing is recorded and nothing waits.
inline void expect_nothing_recorded(const EventObject& event, const std::optional<Device>& device,
                                    Where where = Where::current()) {
  const EventInfo info = event.info();
  expect_false(info.recorded, "it is not recorded", where);
  expect_at(info.device, device, where);
  expect_equal(info.id, 0, where);
  expect_true(event.query(), "there is nothing to wait for", where);
}

}  // namespace assay::suites
