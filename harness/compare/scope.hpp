// What a number speaks of: the GPU, the host beside it, or both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/bench/record.hpp"

namespace assay::compare {

struct Comparison;

enum class Scope : std::uint8_t {
  kDevice,  ///< work that the device times, or nodes of its graphs
  kHost,    ///< calls
  kBoth,    ///< waits, and copies between the memories
  kCounts,  ///< what no machine changes
};
inline constexpr std::size_t kScopes = 4;

/// `GPU`, `host`, `host and GPU`, `counts`.
std::string_view name_of(Scope scope);

Scope scope_of(const report::BenchMeasurement& measurement);

/// The scopes of the comparison's rows if a total over them would answer no question: the sides are
/// different machines, and the rows speak of several things. Otherwise empty.
std::vector<Scope> scopes_apart(const Comparison& comparison);

/// The hardware that times depend on, and statistics cannot correct.
std::string machine_of(const report::BenchRecord& record);

}  // namespace assay::compare
