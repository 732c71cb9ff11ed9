// Helpers for memory cases: streams with gates, counters and driver log by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/memory.hpp"
#include "harness/suite/clients/runtime.hpp"
#include "harness/suite/clients/sim.hpp"

namespace assay::suites {

inline constexpr std::int64_t kKiB = 1024;
inline constexpr std::int64_t kMiB = 1024 * kKiB;
inline constexpr std::int64_t kSmallSegment = 2 * kMiB;
inline constexpr std::int64_t kLargeSegment = 20 * kMiB;

inline Device cuda(int index) { return {"cuda", index}; }

/// Counters that are expected together; names without `.all.current`.
struct Counter {
  std::string_view name;
  std::int64_t value;
};
void expect_counters(Session& subject, const std::vector<Counter>& counters,
                     Where where = Where::current());

/// The kind of driver call in a log line: `malloc`.
std::string call_name(const std::string& line);
/// The kinds of driver calls since the last query, optionally only those in `kinds`.
std::vector<std::string> calls(Session& subject, const std::vector<std::string>& kinds = {});
/// The number of calls of this kind.
std::int64_t count_of(const std::vector<std::string>& names, std::string_view kind);

void expect_calls(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where = Where::current());
void expect_same_place(const BlockInfo& got, const BlockInfo& wanted,
                       Where where = Where::current());

/// A device with `memory_bytes` of memory, of which the allocator may use `fraction`.
void limit_memory(Session& subject, std::int64_t memory_bytes, double fraction);

/// True if the contract's release is `release` or later.
inline bool since(const Session& subject, Release release) {
  return subject.contract().release >= release;
}

}  // namespace assay::suites
