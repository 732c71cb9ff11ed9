// Area autocast: regions, and functions that run inside them.
#include "cuda_impl/autocast/region.hpp"
#include "cuda_impl/subject/autocast/autocast_commands.hpp"

namespace assay::cuda {
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
