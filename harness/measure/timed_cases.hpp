// What is timed: loops under the names that records and reports have for them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/measure/loops.hpp"

namespace assay::measure {

struct TimedCase {
  std::string name;  ///< `dispatch/typed`
  std::vector<std::pair<std::string, std::variant<std::int64_t, std::string>>> axes;
  std::string quantity;  ///< `host.dispatch_ns`: what the number is
  const Loop* loop;
};

/// One for each loop, in the order of tables.
std::span<const TimedCase> all_timed_cases();

}  // namespace assay::measure
