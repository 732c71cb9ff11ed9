// All timed cases: each family with every combination of its axes; and the families of the host.
#include "harness/measure/timed_cases.hpp"

#include <stdexcept>

#include "harness/measure/families.hpp"

namespace assay::measure {

// Host loops: they use no device, or call its runtime without waiting for it.

namespace {

/// An iteration of an empty loop.
constexpr const char* kLoop = "host.loop_ns";
/// A call through the dispatcher to an empty kernel.
constexpr const char* kDispatch = "host.dispatch_ns";
/// A complete call, including its work, until it returns.
constexpr const char* kCall = "host.call_ns";

/// The same loop for all axis values.
auto plain(const char* loop) {
  return [loop](const Axes&) { return LoopCall(*find_loop(loop)); };
}

/// The loop whose name is `prefix` followed by the value of the axis.
auto named_by(const char* axis, const char* prefix) {
  return [axis, prefix](const Axes& axes) {
    for (const auto& [name, value] : axes) {
      if (name == axis) return LoopCall(*find_loop(prefix + to_text(value)));
    }
    throw std::logic_error(std::string("there is no axis ") + axis);
  };
}

}  // namespace

std::vector<CaseFamily> host_families() {
  return {
      {"loop/empty", kLoop, "the loop alone", {}, plain("empty")},
      {"dispatch/typed",
       kDispatch,
       "typed call",
       {whole("tensors", {1, 2, 4})},
       named_by("tensors", "typed_")},
      {"dispatch/observed", kDispatch, "typed call with an observer", {}, plain("observed")},
      {"dispatch/fallthrough",
       kDispatch,
       "typed call with fallthrough keys above",
       {whole("keys", {1, 2, 3})},
       named_by("keys", "fallthrough_")},
      {"dispatch/boxed_fallback",
       kDispatch,
       "typed call through a boxed fallback",
       {},
       plain("boxed_fallback")},
      {"dispatch/call_boxed", kDispatch, "callBoxed of a typed kernel", {}, plain("call_boxed")},
      {"dispatch/redispatch",
       kDispatch,
       "chain of redispatches",
       {whole("depth", {1, 2, 3})},
       named_by("depth", "redispatch_")},
      {"dispatch/autocast_off",
       kDispatch,
       "an operator of autocast's lists, autocast off",
       {},
       plain("autocast_off")},
      {"dispatch/autocast",
       kDispatch,
       "the same under autocast; weight cache hit or miss",
       {words("cache", {"hit", "miss"})},
       named_by("cache", "autocast_")},
      {"dispatch/autocast_promote",
       kDispatch,
       "two dtypes, cast to the wider one",
       {},
       plain("autocast_promote")},
      {"amp/update_scale", kCall, "_amp_update_scale_", {}, plain("amp_update_scale")},
      {"amp/unscale", kCall, "unscale of one gradient", {}, plain("amp_unscale")},
      {"runtime/event", kCall, "record, and wait for it", {}, plain("event")},
      {"runtime/event_create",
       kCall,
       "an event, constructed and destroyed",
       {},
       plain("event_create")},
      {"runtime/event_record", kCall, "record", {}, plain("event_record")},
      {"runtime/event_query", kCall, "query of a completed event", {}, plain("event_query")},
      {"runtime/stream_from_pool", kCall, "a stream from the pool", {}, plain("stream_from_pool")},
      {"runtime/stream_guard", kCall, "guard of another stream", {}, plain("stream_guard")},
      {"runtime/device_guard", kCall, "guard of device 1", {}, plain("device_guard")},
      {"memory/allocate",
       kCall,
       "512 bytes allocated and freed; cached, from the driver, or used by two streams",
       {words("cache", {"hit", "miss", "crossed"})},
       named_by("cache", "allocate_")},
  };
}

// All of them.

std::span<const CaseFamily> all_families() {
  static const std::vector<CaseFamily> families = [] {
    std::vector<CaseFamily> all = host_families();
    for (const auto& theme : {launch_families(), device_families()}) {
      all.insert(all.end(), theme.begin(), theme.end());
    }
    return all;
  }();
  return families;
}

std::vector<TimedCase> cases_of(const CaseFamily& family, const std::vector<Axis>& axes) {
  std::vector<TimedCase> cases;
  for (Axes& values : combinations(axes)) {
    LoopCall call = family.call(values);
    TimedCase made{family.name, std::move(values), family.quantity, std::move(call)};
    if (family.bytes) made.bytes = family.bytes(made.call);
    cases.push_back(std::move(made));
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
