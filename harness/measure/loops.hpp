// The loops of `bench.run`: their names, and what each must have done.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/measure/axes.hpp"
#include "harness/measure/device_results.hpp"

namespace assay::measure {

struct LoopCall;

struct Loop {
  std::string_view name;
  std::vector<std::uint64_t> steps;      ///< the tokens of an iteration
  std::vector<std::uint64_t> next = {};  ///< of every second one, where they are others
  /// On a device: the CRC-32 of what must be left there. Null where nothing is.
  std::uint32_t (*result)(const LoopCall& call, std::int64_t times, Part part) = nullptr;
  /// What is counted for every iteration, where the subject counts: `launches`, `copies`.
  std::string_view counted = {};
};

/// What `bench.run` is asked for, but for the number of iterations.
struct LoopCall {
  LoopCall(const Loop& called)
      : loop(&called) {}  // NOLINT(google-explicit-constructor): a loop alone

  const Loop* loop;
  Axes arguments;                        ///< those of the loop itself
  std::vector<std::int64_t> sizes = {};  ///< of the tensors of a list; none: all have `N` elements
};

/// In the order of tables.
std::span<const Loop> all_loops();
/// Null when there is none of that name.
const Loop* find_loop(std::string_view name);

/// What `bench.run` must reply after so many iterations.
std::uint64_t expected_checksum(const Loop& loop, std::int64_t times);

}  // namespace assay::measure
