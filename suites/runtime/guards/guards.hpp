// Helpers for cases of guards: initial state, and properties of guards.
#pragma once

#include "suites/runtime/support.hpp"

namespace assay::suites {

/// The index of the current device of this type.
inline int device_now(Session& subject, const std::string& type = "hip") {
  return subject.runtime().get_device(type).index;
}

/// Sets the current hip device before a test.
inline void start_at(Session& subject, int index) {
  add_logging(subject, "hip");
  if (index != 0) subject.runtime().set_device(hip(index));
  subject.sim().log("backend");
}

/// None if the guard is empty.
inline void expect_devices(const GuardObject& guard, const std::optional<Device>& original,
                           const std::optional<Device>& now, Where where = Where::current()) {
  const GuardInfo info = guard.info();
  expect_at(info.original_device, original, where);
  expect_at(info.current_device, now, where);
}

}  // namespace assay::suites
