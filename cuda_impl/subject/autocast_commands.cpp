// Area autocast: the state of the calling thread and the weight cache, regions, and functions that
// run inside them.
#include "cuda_impl/autocast/region.hpp"
#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/autocast/weight_cache.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"
#include "cuda_impl/subject/call.hpp"

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

// Regions, and functions that run inside them.

namespace {

using autocast::Region;

/// As a guard, the region is already entered.
class RegionScope final : public Guard {
 public:
  explicit RegionScope(const autocast::RegionOptions& options) : region_(options) {}

  Region& region() { return region_; }
  void leave() override { region_.exit(); }

 private:
  Region region_;
};

struct DecoratedFunction {
  std::shared_ptr<RegionScope> region;
  Value function;
};

/// CAST-610
std::string device_text(Call& call) {
  const Value& device = call.arguments().value("device");
  if (const auto* text = device.get_if<std::string>()) return *text;
  if (call.release() == Release::k1_13) {
    throw Error("User specified autocast device_type must be 'cuda' or 'cpu'");
  }
  throw Error(ErrorKind::kValue,
              "expected `device_type` of type `str`, got: " + std::string(kind_of(device)));
}

std::shared_ptr<RegionScope> made_region(Call& call) {
  Arguments& given = call.arguments();
  autocast::RegionOptions options;
  options.device = device_text(call);
  options.dtype = call.dtype_or_none("dtype");
  options.enabled = given.boolean("enabled", true);
  if (call.has("cache_enabled")) options.cache_enabled = given.boolean("cache_enabled");
  const bool has_cuda = home().is_cuda() && Session::cuda_devices() > 0;
  options.cuda_available = given.boolean("cuda_available", has_cuda);
  options.bf16_supported = given.boolean("bf16_supported", true);
  return std::make_shared<RegionScope>(options);
}

Object as_guard(const std::shared_ptr<RegionScope>& region) {
  return Object(std::static_pointer_cast<Guard>(region), "region");
}

std::shared_ptr<RegionScope> region_argument(Call& call) {
  auto found = std::dynamic_pointer_cast<RegionScope>(call.held<Guard>("region", "region"));
  if (found == nullptr) throw InvalidArgument("'region' must be a region, not another guard");
  return found;
}

[[noreturn]] void refuse_call(std::string_view what) {
  throw Error(ErrorKind::kType, "a value of type " + std::string(what) + " is not callable");
}

void expect_callable(Call& call, const Value& function) {
  if (function.is<Callable>()) return;
  const auto* ref = function.get_if<Ref>();
  if (ref != nullptr && call.names().get(ref->name).as<DecoratedFunction>() != nullptr) return;
  throw Error(ErrorKind::kType, "autocast as a decorator requires a callable, but got " +
                                    std::string(ref != nullptr ? call.names().get(ref->name).kind()
                                                               : kind_of(function)) +
                                    "; did you mean to use it as a context manager?");
}

Value run_function(Call& call, const Value& function, const std::vector<Value>& arguments) {
  if (const auto* callable = function.get_if<Callable>()) {
    return call.call_back(callable->name, arguments);
  }
  const auto* ref = function.get_if<Ref>();
  if (ref == nullptr) refuse_call(kind_of(function));
  const Object found = call.names().get(ref->name);
  const auto decorated = found.as<DecoratedFunction>();
  if (decorated == nullptr) refuse_call(found.kind());
  return autocast::run_inside(decorated->region->region(),
                              [&] { return run_function(call, decorated->function, arguments); });
}

}  // namespace

void autocast_region(Call& call) {
  const std::shared_ptr<RegionScope> made = made_region(call);
  made->region().enter();
  call.result(as_guard(made));
}

void autocast_construct(Call& call) { call.result(as_guard(made_region(call))); }

/// CAST-602
void autocast_enter(Call& call) {
  const std::shared_ptr<RegionScope> entered = region_argument(call);
  entered->region().enter();
  if (call.release() < Release::k2_11) return call.result(Value());
  call.result(as_guard(entered));
}

void autocast_exit(Call& call) { region_argument(call)->region().exit(); }

/// Until 2.11, whether the object is callable is checked at the call (CAST-609).
void autocast_decorate(Call& call) {
  auto made = std::make_shared<DecoratedFunction>();
  made->region = region_argument(call);
  made->function = call.arguments().value("function");
  if (call.release() >= Release::k2_12) expect_callable(call, made->function);
  call.result(Object(std::move(made), "function"));
}

void autocast_call(Call& call) {
  std::vector<Value> arguments;
  if (call.has("args")) arguments = call.arguments().items("args");
  const Value returned = run_function(call, call.arguments().value("function"), arguments);
  if (returned.tensor() != nullptr) return call.result(call.tensor_from(returned));
  const auto* ref = returned.get_if<Ref>();
  if (ref == nullptr) return call.result(returned);
  call.result(call.names().get(ref->name));
}

}  // namespace assay::cuda
