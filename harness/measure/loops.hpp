// The loops of `bench.run`: their names, the axes of their cases (sizes, types, and other
// parameters), and the expected results.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/measure/device_results.hpp"

namespace assay::measure {

using AxisValue = std::variant<std::int64_t, std::string>;
/// One value for each axis, in the order of names: `tensors=2`.
using Axes = std::vector<std::pair<std::string, AxisValue>>;

struct Axis {
  std::string name;
  std::vector<AxisValue> values;  ///< default values
  bool is_open = false;           ///< accepts any positive integer; otherwise only `values`
};

/// `dtype=[f16,bf16]`; the values of an open axis are followed by `,...`.
std::string to_text(const Axis& axis);
std::string to_text(const AxisValue& value);

/// The value of an axis if it exists, else `fallback`.
std::int64_t whole_of(const Axes& axes, const std::string& name, std::int64_t fallback);
std::string text_of(const Axes& axes, const std::string& name, const std::string& fallback);

/// All combinations of the axes' values; the last axis varies fastest. No axes: one combination.
std::vector<Axes> combinations(const std::vector<Axis>& axes);

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
