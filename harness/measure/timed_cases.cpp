// Names, axes and quantities of the loops.
#include "harness/measure/timed_cases.hpp"

namespace assay::measure {
namespace {

/// An iteration of the loop itself.
constexpr const char* kLoop = "host.loop_ns";
/// A call through the dispatcher to a kernel that does nothing.
constexpr const char* kDispatch = "host.dispatch_ns";
/// A call that does its work, until it returns.
constexpr const char* kCall = "host.call_ns";

std::vector<TimedCase> table() {
  const auto loop = [](std::string_view name) { return find_loop(name); };
  return {
      {"loop/empty", {}, kLoop, loop("empty")},
      {"dispatch/typed", {{"tensors", std::int64_t{1}}}, kDispatch, loop("typed_1")},
      {"dispatch/typed", {{"tensors", std::int64_t{2}}}, kDispatch, loop("typed_2")},
      {"dispatch/typed", {{"tensors", std::int64_t{4}}}, kDispatch, loop("typed_4")},
      {"dispatch/fallthrough", {}, kDispatch, loop("fallthrough")},
      {"dispatch/boxed_fallback", {}, kDispatch, loop("boxed_fallback")},
      {"dispatch/call_boxed", {}, kDispatch, loop("call_boxed")},
      {"dispatch/redispatch", {{"depth", std::int64_t{3}}}, kDispatch, loop("redispatch")},
      {"dispatch/autocast", {{"cache", "hit"}}, kDispatch, loop("autocast_hit")},
      {"dispatch/autocast", {{"cache", "miss"}}, kDispatch, loop("autocast_miss")},
      {"amp/update_scale", {}, kCall, loop("amp_update_scale")},
      {"amp/unscale", {}, kCall, loop("amp_unscale")},
      {"runtime/event", {}, kCall, loop("event")},
      {"runtime/device_guard", {}, kCall, loop("device_guard")},
  };
}

}  // namespace

std::span<const TimedCase> all_timed_cases() {
  static const std::vector<TimedCase> cases = table();
  return cases;
}

}  // namespace assay::measure
