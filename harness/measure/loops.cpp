// The table of loops, as harness/protocol/areas/bench.md describes them.
#include "harness/measure/loops.hpp"

#include <algorithm>

namespace assay::measure {
namespace {

/// Written again, not taken from the loops: what they share cannot vouch for them.
constexpr std::uint64_t kFactor = 6364136223846793005U;

constexpr std::uint64_t kLast = 1;
constexpr std::uint64_t kBoxed = 2;
constexpr std::uint64_t kPassing = 3;
constexpr std::uint64_t kBFloat16 = 15;
constexpr std::uint64_t kOne = 0x3f800000;
constexpr std::uint64_t kMinusOne = 0xbf800000;

const std::vector<Loop>& table() {
  static const std::vector<Loop> loops{
      {"empty", "the loop alone", {kLast}},
      {"typed_1", "typed call, 1 tensor", {kLast}},
      {"typed_2", "typed call, 2 tensors", {kLast}},
      {"typed_4", "typed call, 4 tensors", {kLast}},
      {"fallthrough", "a key falls through", {kLast}},
      {"boxed_fallback", "through a boxed fallback", {kBoxed, kLast}},
      {"call_boxed", "callBoxed of a typed kernel", {kLast}},
      {"redispatch", "chain of three redispatches", {kPassing, kPassing, kPassing, kLast}},
      {"autocast_hit", "cast from the weight cache", {kBFloat16}},
      {"autocast_miss", "cast, the cache cleared", {kBFloat16}},
      {"amp_update_scale", "_amp_update_scale_", {1}, {0}},
      {"amp_unscale", "unscale of one gradient", {kMinusOne}, {kOne}},
      {"event", "record, and wait for it", {kLast}},
      {"device_guard", "to device 1 and back", {1}},
  };
  return loops;
}

}  // namespace

std::span<const Loop> all_loops() { return table(); }

const Loop* find_loop(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &Loop::name);
  return found == table().end() ? nullptr : &*found;
}

std::uint64_t expected_checksum(const Loop& loop, std::int64_t times) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < times; ++i) {
    const bool is_other = i % 2 == 1 && !loop.next.empty();
    for (const std::uint64_t token : is_other ? loop.next : loop.steps) {
      sum = sum * kFactor + token;
    }
  }
  return sum;
}

}  // namespace assay::measure
