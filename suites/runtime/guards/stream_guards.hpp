// Helpers for cases of stream guards: initial streams, and properties of guards.
#pragma once

#include "suites/runtime/guards/guards.hpp"

namespace assay::suites {

/// Makes streams 7, 11 and 13 current on the hip devices 0, 1 and 2.
inline void start_streams(Session& subject) {
  add_logging(subject, "hip");
  current_on(subject, hip(0), 7);
  current_on(subject, hip(1), 11);
  current_on(subject, hip(2), 13);
  subject.sim().log("backend");
}

inline StreamObject stream_at(Session& subject, int device, std::int64_t id) {
  return subject.runtime().stream(hip(device), id);
}

/// Checks the ids of hip's current streams, starting at device 0.
inline void expect_streams(Session& subject, const std::vector<std::int64_t>& wanted,
                           Where where = Where::current()) {
  std::vector<std::int64_t> got;
  for (int i = 0; i < static_cast<int>(wanted.size()); ++i) {
    got.push_back(current_id(subject, hip(i)));
  }
  expect_equal(got, wanted, where);
}

/// For a guard that is not empty.
inline void expect_guarded(const GuardObject& guard, const StreamValue& original,
                           const StreamValue& now, Where where = Where::current()) {
  const GuardInfo info = guard.info();
  expect_true(info.original_stream && info.current_stream, "it has streams", where);
  expect_same(*info.original_stream, original, where);
  expect_same(*info.current_stream, now, where);
  expect_at(info.original_device, original.device, where);
  expect_at(info.current_device, now.device, where);
}

}  // namespace assay::suites
