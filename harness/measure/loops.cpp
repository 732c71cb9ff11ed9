// Combines axes, and lists the loops.
#include "harness/measure/loops.hpp"

#include <algorithm>

namespace assay::measure {
namespace {

template <typename T>
T value_of(const Axes& axes, const std::string& name, const T& fallback) {
  const auto found = std::ranges::find(axes, name, &Axes::value_type::first);
  const T* value = found == axes.end() ? nullptr : std::get_if<T>(&found->second);
  return value == nullptr ? fallback : *value;
}

}  // namespace

std::string to_text(const AxisValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::get<std::string>(value) : std::to_string(*number);
}

std::string to_text(const Axis& axis) {
  std::string text = axis.name + "=[";
  for (const AxisValue& value : axis.values) {
    text += (&value == axis.values.data() ? "" : ",") + to_text(value);
  }
  return text + (axis.is_open ? ",...]" : "]");
}

std::int64_t whole_of(const Axes& axes, const std::string& name, std::int64_t fallback) {
  return value_of(axes, name, fallback);
}

std::string text_of(const Axes& axes, const std::string& name, const std::string& fallback) {
  return value_of(axes, name, fallback);
}

std::vector<Axes> combinations(const std::vector<Axis>& axes) {
  std::vector<Axes> made{{}};
  for (const Axis& axis : axes) {
    std::vector<Axes> longer;
    for (const Axes& before : made) {
      for (const AxisValue& value : axis.values) {
        longer.push_back(before);
        longer.back().emplace_back(axis.name, value);
      }
    }
    made = std::move(longer);
  }
  return made;
}

// The loops described in harness/protocol/areas/bench.md.

namespace {

/// Duplicated deliberately: a constant shared with the loops could not verify them.
constexpr std::uint64_t kFactor = 6364136223846793005U;

constexpr std::uint64_t kLast = 1;
constexpr std::uint64_t kBoxed = 2;
constexpr std::uint64_t kPassing = 3;
constexpr std::uint64_t kBegins = 4;
constexpr std::uint64_t kEnds = 5;
constexpr std::uint64_t kFloat32 = 6;
constexpr std::uint64_t kBFloat16 = 15;
constexpr std::string_view kLaunches = "launches";
constexpr std::string_view kCopies = "copies";
constexpr std::uint64_t kOne = 0x3f800000;
constexpr std::uint64_t kMinusOne = 0xbf800000;

const std::vector<Loop>& table() {
  static const std::vector<Loop> loops{
      {"empty", {kLast}},
      {"typed_1", {kLast}},
      {"typed_2", {kLast}},
      {"typed_4", {kLast}},
      {"observed", {kBegins, kLast, kEnds}},
      {"fallthrough_1", {kLast}},
      {"fallthrough_2", {kLast}},
      {"fallthrough_3", {kLast}},
      {"boxed_fallback", {kBoxed, kLast}},
      {"call_boxed", {kLast}},
      {"redispatch_1", {kPassing, kLast}},
      {"redispatch_2", {kPassing, kPassing, kLast}},
      {"redispatch_3", {kPassing, kPassing, kPassing, kLast}},
      {"autocast_off", {kFloat32}},
      {"autocast_hit", {kBFloat16}},
      {"autocast_miss", {kBFloat16}},
      {"autocast_promote", {kFloat32, kFloat32}},
      {"amp_update_scale", {1}, {0}},
      {"amp_unscale", {kMinusOne}, {kOne}},
      {"event", {kLast}},
      {"event_create", {kLast}},
      {"event_record", {kLast}},
      {"event_query", {kLast}},
      {"stream_from_pool", {kLast}},
      {"stream_guard", {kLast}},
      {"device_guard", {1}},
      {"allocate_hit", {kLast}},
      {"allocate_miss", {kLast}},
      {"allocate_crossed", {kLast}},
      {"kernel", {kLast}, {}, counted_tracker, kLaunches},
      {"update_scale", {kLast}, {}, counted_tracker, kLaunches},
      {"unscale", {kLast}, {}, turned_signs, kLaunches},
      {"cast_to", {kLast}, {}, cast_from_f32, kLaunches},
      {"cast_from", {kLast}, {}, cast_to_f32, kLaunches},
      {"copy", {kLast}, {}, copied_f32, kCopies},
      {"copy_in", {kLast}, {}, copied_f32, kCopies},
      {"copy_out", {kLast}, {}, copied_f32, kCopies},
      {"memset", {kLast}, {}, set_bytes},
      {"nothing", {kLast}},
      {"arguments", {kLast}, {}, counted_word, kLaunches},
      {"step", {kLast}, {}, stepped_by_signs, kLaunches},
      {"scaler_unscale", {kLast}, {}, turned_signs, kLaunches},
      {"scaler_step", {kLast}, {}, stepped_by_optimizer, kLaunches},
      {"update_scale_launch", {kLast}, {}, counted_tracker},
      {"update_scale_check", {kLast}, {}, counted_tracker, kLaunches},
      {"update_scale_arguments", {kLast}, {}, counted_tracker, kLaunches},
      {"update_scale_choice", {kLast}, {}, counted_tracker, kLaunches},
      {"update_scale_dispatch", {kLast}, {}, counted_tracker, kLaunches},
      {"update_scale_boxing", {kLast}, {}, counted_tracker, kLaunches},
  };
  return loops;
}

}  // namespace

std::span<const Loop> all_loops() { return table(); }

const Loop* find_loop(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &Loop::name);
  return found == table().end() ? nullptr : &*found;
}

std::uint64_t expected_checksum(const Loop& loop, std::int64_t times, std::uint64_t seed) {
  std::uint64_t sum = seed;
  for (std::int64_t i = 0; i < times; ++i) {
    const bool is_other = i % 2 == 1 && !loop.next.empty();
    for (const std::uint64_t token : is_other ? loop.next : loop.steps) {
      sum = sum * kFactor + token;
    }
  }
  return sum;
}

}  // namespace assay::measure
