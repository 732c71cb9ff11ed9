// Names, axes and quantities of the loops.
#include "harness/measure/timed_cases.hpp"

#include <stdexcept>

namespace assay::measure {
namespace {

/// An iteration of the loop itself.
constexpr const char* kLoop = "host.loop_ns";
/// A call through the dispatcher to a kernel that does nothing.
constexpr const char* kDispatch = "host.dispatch_ns";
/// A call that does its work, until it returns.
constexpr const char* kCall = "host.call_ns";

Axis whole(const char* name, std::vector<AxisValue> values) { return {name, std::move(values)}; }

Axis words(const char* name, std::initializer_list<const char*> values) {
  Axis axis{name, {}};
  for (const char* value : values) axis.values.emplace_back(std::string(value));
  return axis;
}

/// One loop, whatever the axes.
auto plain(const char* loop) {
  return [loop](const Axes&) { return LoopCall(*find_loop(loop)); };
}

/// The loop `prefix` + value of the axis.
auto named_by(const char* axis, const char* prefix) {
  return [axis, prefix](const Axes& axes) {
    for (const auto& [name, value] : axes) {
      if (name == axis) return LoopCall(*find_loop(prefix + to_text(value)));
    }
    throw std::logic_error(std::string("there is no axis ") + axis);
  };
}

std::vector<CaseFamily> host_families() {
  return {
      {"loop/empty", kLoop, "the loop alone", {}, plain("empty")},
      {"dispatch/typed",
       kDispatch,
       "typed call",
       {whole("tensors", {1, 2, 4})},
       named_by("tensors", "typed_")},
      {"dispatch/fallthrough", kDispatch, "a key falls through", {}, plain("fallthrough")},
      {"dispatch/boxed_fallback",
       kDispatch,
       "through a boxed fallback",
       {},
       plain("boxed_fallback")},
      {"dispatch/call_boxed", kDispatch, "callBoxed of a typed kernel", {}, plain("call_boxed")},
      {"dispatch/redispatch",
       kDispatch,
       "chain of redispatches",
       {whole("depth", {3})},
       plain("redispatch")},
      {"dispatch/autocast",
       kDispatch,
       "cast from the weight cache, or cleared before",
       {words("cache", {"hit", "miss"})},
       named_by("cache", "autocast_")},
      {"amp/update_scale", kCall, "_amp_update_scale_", {}, plain("amp_update_scale")},
      {"amp/unscale", kCall, "unscale of one gradient", {}, plain("amp_unscale")},
      {"runtime/event", kCall, "record, and wait for it", {}, plain("event")},
      {"runtime/device_guard", kCall, "to device 1 and back", {}, plain("device_guard")},
  };
}

}  // namespace

std::span<const CaseFamily> all_families() {
  static const std::vector<CaseFamily> families = host_families();
  return families;
}

std::vector<TimedCase> cases_of(const CaseFamily& family, const std::vector<Axis>& axes) {
  std::vector<TimedCase> cases;
  for (Axes& values : combinations(axes)) {
    LoopCall call = family.call(values);
    cases.push_back({family.name, std::move(values), family.quantity, std::move(call)});
  }
  return cases;
}

std::vector<TimedCase> all_timed_cases() {
  std::vector<TimedCase> all;
  for (const CaseFamily& family : all_families()) {
    for (TimedCase& timed : cases_of(family, family.axes)) all.push_back(std::move(timed));
  }
  return all;
}

}  // namespace assay::measure
