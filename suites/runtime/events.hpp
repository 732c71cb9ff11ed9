// Events that are moved or fail: how they are made, and what an empty one says.
#pragma once

#include "suites/runtime/support.hpp"

namespace assay::suites {

/// A generic event of that type of device, with timing.
inline EventObject timed_generic(Session& subject, const std::string& type = "hip") {
  return subject.runtime().event({.api = "generic", .device = type, .flag = "backend_default"});
}

/// Nothing is recorded, and nothing to wait for.
inline void expect_nothing_recorded(const EventObject& event, const std::optional<Device>& device,
                                    Where where = Where::current()) {
  const EventInfo info = event.info();
  expect_false(info.recorded, "it is not recorded", where);
  expect_at(info.device, device, where);
  expect_equal(info.id, 0, where);
  expect_true(event.query(), "there is nothing to wait for", where);
}

}  // namespace assay::suites
