// Area autocast: the state of the calling thread, and the weight cache.
#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/autocast/weight_cache.hpp"
#include "cuda_impl/core/device/device_text.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"
#include "cuda_impl/subject/autocast/autocast_commands.hpp"

namespace assay::cuda {
namespace {

/// CAST-117: the old functions have no device argument.
DeviceKind device_or_cuda(Call& call) {
  return call.has("device") ? autocast_device(call) : DeviceKind::kCuda;
}

void warn_of_old_name(Call& call, const std::string& old_name, const std::string& new_name) {
  if (call.has("device") || call.release() == Release::k1_13) return;
  warn("DeprecationWarning",
       "torch." + old_name + " is deprecated. Please use torch." + new_name + " instead.");
}

}  // namespace

void autocast_key(Call& call) {
  call.result(Value(dispatch::name_of(autocast::key_of(autocast_device(call)))));
}

void autocast_is_available(Call& call) {
  call.result(Value(autocast::is_available(autocast_device(call))));
}

void autocast_is_enabled(Call& call) {
  call.result(Value(autocast::is_enabled(device_or_cuda(call))));
}

void autocast_set_enabled(Call& call) {
  autocast::set_enabled(device_or_cuda(call), call.arguments().boolean("value"));
}

void autocast_dtype(Call& call) {
  warn_of_old_name(call, "get_autocast_gpu_dtype()", "get_autocast_dtype('cuda')");
  call.result(Value(to_waist(autocast::low_dtype(device_or_cuda(call)))));
}

void autocast_set_dtype(Call& call) {
  warn_of_old_name(call, "set_autocast_gpu_dtype(dtype)", "set_autocast_dtype('cuda', dtype)");
  autocast::set_low_dtype(device_or_cuda(call), call.dtype("dtype"));
}

void autocast_is_any_enabled(Call& call) { call.result(Value(autocast::is_any_enabled())); }

void autocast_nesting(Call& call) {
  const std::int64_t by = call.arguments().integer("by");
  if (by != 1 && by != -1) throw InvalidArgument("autocast.nesting: 'by' must be 1 or -1");
  call.result(Value(autocast::change_nesting(static_cast<int>(by))));
}

void autocast_is_cache_enabled(Call& call) { call.result(Value(autocast::is_cache_enabled())); }

void autocast_set_cache_enabled(Call& call) {
  autocast::set_cache_enabled(call.arguments().boolean("value"));
}

void autocast_stats(Call& call) {
  const autocast::CastStats counted = autocast::cast_stats();
  call.set("conversions", counted.conversions);
  call.set("cache_hits", counted.cache_hits);
  call.set("cache_inserts", counted.cache_inserts);
  call.set("cache_clears", counted.cache_clears);
  call.set("cache_size", static_cast<std::int64_t>(autocast::weight_cache().size()));
  call.set("locks", counted.locks);
}

void autocast_static_output(Call& call) {
  if (call.release() == Release::k1_13) {
    throw NotSupported("1.13 does not register the outputs of graphs");
  }
  autocast::set_static_output(call.tensor("tensor"), call.arguments().boolean("value"));
}

void autocast_clear_cache(Call& /*call*/) { autocast::clear_weight_cache(); }

DeviceKind autocast_device(Call& call) {
  return device_from_text(call.arguments().text("device"), call.contract()).kind;
}

}  // namespace assay::cuda
