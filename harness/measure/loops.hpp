// The loops of `bench.run`: their names, and what each must have done.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay::measure {

struct Loop {
  std::string_view name;
  std::string_view what;                 ///< an iteration, in a few words
  std::vector<std::uint64_t> steps;      ///< the tokens of an iteration
  std::vector<std::uint64_t> next = {};  ///< of every second one, where they are others
};

/// In the order of tables.
std::span<const Loop> all_loops();
/// Null when there is none of that name.
const Loop* find_loop(std::string_view name);

/// What `bench.run` must reply after so many iterations.
std::uint64_t expected_checksum(const Loop& loop, std::int64_t times);

}  // namespace assay::measure
