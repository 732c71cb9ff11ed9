// Area autocast: the calling thread's state, and the weight cache.
#include "reference/autocast/weight_cache.hpp"
#include "reference/subject/autocast/commands.hpp"

namespace assay::reference {
namespace {

/// Functions without a device argument refer to CUDA (CAST-117).
CastDevice device_or_cuda(Call& call) {
  if (call.has("device")) return device_argument(call);
  return DeviceType::kCuda;
}

/// The dtype accessors with old names are deprecated since 2.4.
void warn_of_old_name(Call& call, const std::string& old_name, const std::string& new_name) {
  if (call.has("device") || call.contract().before(Release::k2_4)) return;
  call.runtime().warn(
      "DeprecationWarning",
      "torch." + old_name + " is deprecated. Please use torch." + new_name + " instead.");
}

}  // namespace

void autocast_key(Call& call) {
  call.result(name_of(autocast_key(device_argument(call), call.contract().release)));
}

void autocast_is_available(Call& call) {
  call.result(is_autocast_available(device_argument(call), call.contract().release));
}

void autocast_is_enabled(Call& call) {
  call.result(is_autocast_enabled(call.runtime(), device_or_cuda(call)));
}

void autocast_set_enabled(Call& call) {
  set_autocast_enabled(call.runtime(), device_or_cuda(call), call.arguments().boolean("value"));
}

void autocast_dtype(Call& call) {
  warn_of_old_name(call, "get_autocast_gpu_dtype()", "get_autocast_dtype('cuda')");
  call.result(to_protocol(autocast_dtype(call.runtime(), device_or_cuda(call))));
}

void autocast_set_dtype(Call& call) {
  warn_of_old_name(call, "set_autocast_gpu_dtype(dtype)", "set_autocast_dtype('cuda', dtype)");
  set_autocast_dtype(call.runtime(), device_or_cuda(call), call.dtype("dtype"));
}

void autocast_is_any_enabled(Call& call) { call.result(is_any_autocast_enabled(call.runtime())); }

void autocast_nesting(Call& call) {
  const std::int64_t by = call.arguments().integer("by");
  if (by != 1 && by != -1) throw InvalidArgument("autocast.nesting: 'by' must be 1 or -1");
  call.result(std::int64_t{change_nesting(call.runtime(), static_cast<int>(by))});
}

void autocast_is_cache_enabled(Call& call) { call.result(is_cache_enabled(call.runtime())); }

void autocast_set_cache_enabled(Call& call) {
  set_cache_enabled(call.runtime(), call.arguments().boolean("value"));
}

void autocast_clear_cache(Call& call) { clear_weight_cache(call.runtime()); }

void autocast_stats(Call& call) {
  const CastStats& counted = cast_stats(call.runtime());
  call.set("conversions", counted.conversions.load());
  call.set("cache_hits", counted.cache_hits.load());
  call.set("cache_inserts", counted.cache_inserts.load());
  call.set("cache_clears", counted.cache_clears.load());
  call.set("cache_size", static_cast<std::int64_t>(weight_cache(call.runtime()).size()));
  call.set("locks", counted.locks.load());
}

void autocast_static_output(Call& call) {
  if (call.contract().before(Release::k2_4)) {
    throw NotSupported("1.13 has no registry of static outputs");
  }
  static_outputs(call.runtime()).set(call.tensor("tensor"), call.arguments().boolean("value"));
}

}  // namespace assay::reference
