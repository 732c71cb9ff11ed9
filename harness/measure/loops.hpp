// The loops of `bench.run`: their names and expected results.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/measure/axes.hpp"
#include "harness/measure/device_results.hpp"

namespace assay::measure {

struct LoopCall;

struct Loop {
  std::string_view name;
  std::vector<std::uint64_t> steps;      ///< the tokens of an iteration
  std::vector<std::uint64_t> next = {};  ///< for every second iteration, if different
  /// For device loops: the CRC-32 of the expected device data. Null if the loop leaves none.
  std::uint32_t (*result)(const LoopCall& call, std::int64_t times, Part part) = nullptr;
  /// The quantity counted per iteration, if the subject counts: `launches`, `copies`.
  std::string_view counted = {};
};

/// The arguments of `bench.run` without the number of iterations.
struct LoopCall {
  LoopCall(const Loop& called)
      : loop(&called) {}  // NOLINT(google-explicit-constructor): a loop alone

  const Loop* loop;
  Axes arguments;                        ///< the loop's own arguments
  std::vector<std::int64_t> sizes = {};  ///< tensor sizes of a list; empty: all have `N` elements
  std::uint64_t seed = 0;                ///< 0 is not sent
};

/// In the order of the tables.
std::span<const Loop> all_loops();
/// Null if there is no loop with this name.
const Loop* find_loop(std::string_view name);

/// The checksum that `bench.run` must reply after `times` iterations.
std::uint64_t expected_checksum(const Loop& loop, std::int64_t times, std::uint64_t seed = 0);

}  // namespace assay::measure
