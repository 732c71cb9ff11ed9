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
/// A call that launches, until it returns; the queue is never full.
constexpr const char* kLaunch = "host.launch_ns";
/// Launches and one wait for all, over their number.
constexpr const char* kSubmit = "host.submit_ns";
/// A launch, and the wait for it.
constexpr const char* kSync = "e2e.sync_ns";
/// A node of a graph that is replayed.
constexpr const char* kNode = "graph.node_ns";
/// Work on a device, by its own clock and without the host.
constexpr const char* kDevice = "device.exec_ns";

Axis whole(const char* name, std::vector<AxisValue> values) { return {name, std::move(values)}; }

Axis open(const char* name, std::vector<AxisValue> values) {
  return {name, std::move(values), true};
}

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
      {"dispatch/observed", kDispatch, "typed call that an observer sees", {}, plain("observed")},
      {"dispatch/fallthrough",
       kDispatch,
       "keys fall through",
       {whole("keys", {1, 2, 3})},
       named_by("keys", "fallthrough_")},
      {"dispatch/boxed_fallback",
       kDispatch,
       "through a boxed fallback",
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
       "an operator that autocast wraps, without",
       {},
       plain("autocast_off")},
      {"dispatch/autocast",
       kDispatch,
       "the same, cast; from the weight cache, or cleared",
       {words("cache", {"hit", "miss"})},
       named_by("cache", "autocast_")},
      {"dispatch/autocast_promote",
       kDispatch,
       "two types, cast to the wider one",
       {},
       plain("autocast_promote")},
      {"amp/update_scale", kCall, "_amp_update_scale_", {}, plain("amp_update_scale")},
      {"amp/unscale", kCall, "unscale of one gradient", {}, plain("amp_unscale")},
      {"runtime/event", kCall, "record, and wait for it", {}, plain("event")},
      {"runtime/event_create", kCall, "an event, made and gone", {}, plain("event_create")},
      {"runtime/event_record", kCall, "record", {}, plain("event_record")},
      {"runtime/event_query", kCall, "is it over?", {}, plain("event_query")},
      {"runtime/stream_from_pool", kCall, "the pool's next", {}, plain("stream_from_pool")},
      {"runtime/stream_guard", kCall, "to another stream and back", {}, plain("stream_guard")},
      {"runtime/device_guard", kCall, "to device 1 and back", {}, plain("device_guard")},
  };
}

/// The axes, and a clock for devices, are arguments of the loop.
auto on_device(const char* loop, const char* clock) {
  return [loop, clock](const Axes& axes) {
    LoopCall call(*find_loop(loop));
    call.arguments = axes;
    call.arguments.emplace_back("clock", clock);
    return call;
  };
}

std::int64_t size_of(const std::string& dtype) { return dtype == "f32" ? 4 : 2; }

/// Each element of each tensor is read once and written once.
std::int64_t bytes_of_unscale(const Axes& axes) {
  return 2 * whole_of(axes, "tensors", 1) * whole_of(axes, "N", 1) *
         size_of(text_of(axes, "dtype", "f32"));
}

std::int64_t bytes_of_cast(const Axes& axes) {
  return whole_of(axes, "N", 1) * (4 + size_of(text_of(axes, "dtype", "f32")));
}

std::int64_t bytes_of_copy(const Axes& axes) { return whole_of(axes, "N", 1) * 2 * 4; }

std::vector<CaseFamily> launch_families() {
  const Axis dtypes = words("dtype", {"f32", "f16", "bf16"});
  return {
      {"launch/kernel", kLaunch, "one thread, the call", {}, on_device("kernel", "launch")},
      {"submit/kernel",
       kSubmit,
       "one thread, calls and one wait",
       {},
       on_device("kernel", "submit")},
      {"sync/kernel", kSync, "one thread, call and wait", {}, on_device("kernel", "sync")},
      {"graph/kernel", kNode, "one thread, replayed", {}, on_device("kernel", "device")},
      {"launch/update_scale",
       kLaunch,
       "_amp_update_scale_, the call",
       {},
       on_device("update_scale", "launch")},
      {"launch/unscale",
       kLaunch,
       "unscale of small tensors, the call",
       {dtypes, open("tensors", {1, 100}), open("N", {16})},
       on_device("unscale", "launch")},
  };
}

std::vector<CaseFamily> device_families() {
  const Axis dtypes = words("dtype", {"f32", "f16", "bf16"});
  const Axis halves = words("dtype", {"f16", "bf16"});
  const Axis sizes = open("N", {1 << 10, 1 << 18, 1 << 26});
  return {
      {"device/update_scale",
       kDevice,
       "_amp_update_scale_",
       {},
       on_device("update_scale", "device")},
      {"device/unscale",
       kDevice,
       "unscale of tensors of N elements",
       {dtypes, open("tensors", {1}), sizes},
       on_device("unscale", "device"),
       bytes_of_unscale},
      {"device/unscale_list",
       kDevice,
       "the same, of many",
       {dtypes, open("tensors", {1000}), open("N", {4096})},
       on_device("unscale", "device"),
       bytes_of_unscale},
      {"device/cast_to",
       kDevice,
       "f32 to dtype",
       {halves, sizes},
       on_device("cast_to", "device"),
       bytes_of_cast},
      {"device/cast_from",
       kDevice,
       "dtype to f32",
       {halves, sizes},
       on_device("cast_from", "device"),
       bytes_of_cast},
      {"device/copy",
       kDevice,
       "f32 to another place",
       {sizes},
       on_device("copy", "device"),
       bytes_of_copy},
  };
}

}  // namespace

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
    if (family.bytes) made.bytes = family.bytes(made.axes);
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
