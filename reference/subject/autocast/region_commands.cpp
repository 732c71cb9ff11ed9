// Area autocast: regions, and functions that run inside them.
#include "reference/autocast/region.hpp"
#include "reference/subject/autocast/commands.hpp"

namespace assay::reference {
namespace {

/// A region that a client holds. As a guard it has been entered, and `scope` leaves it.
class RegionScope final : public Guard {
 public:
  RegionScope(Runtime& runtime, const RegionOptions& options) : region_(runtime, options) {}

  AutocastRegion& region() { return region_; }
  void leave() override { region_.exit(); }

 private:
  AutocastRegion region_;
};

/// The result of `autocast.decorate`.
struct DecoratedFunction {
  std::shared_ptr<RegionScope> region;
  Value function;
};

/// CAST-610: each release rejects a non-string in its own way.
std::string region_device(Call& call) {
  const Value& device = call.arguments().value("device");
  if (const auto* text = device.get_if<std::string>()) return *text;
  const bool is_old = call.contract().release == Release::k1_13;
  throw Error(is_old ? ErrorKind::kError : ErrorKind::kValue,
              is_old
                  ? "User specified autocast device_type must be 'cuda' or 'cpu'"
                  : "Expected `device_type` of type `str`, got: " + std::string(kind_of(device)));
}

std::optional<bool> flag(Call& call, std::string_view name) {
  if (!call.has(name)) return std::nullopt;
  return call.arguments().boolean(name);
}

std::shared_ptr<RegionScope> make_region(Call& call) {
  RegionOptions options;
  options.device = region_device(call);
  options.dtype = call.dtype_or_none("dtype");
  options.enabled = call.arguments().boolean("enabled", true);
  options.cache_enabled = flag(call, "cache_enabled");
  options.cuda_available = flag(call, "cuda_available");
  options.bf16_supported = call.arguments().boolean("bf16_supported", true);
  return std::make_shared<RegionScope>(call.runtime(), options);
}

std::shared_ptr<RegionScope> region_argument(Call& call) {
  auto found = std::dynamic_pointer_cast<RegionScope>(call.held<Guard>("region", "region"));
  if (found == nullptr) throw InvalidArgument("'region' must be a region, not another guard");
  return found;
}

/// The function's type if it cannot be called, else nothing.
std::optional<std::string> not_callable(Call& call, const Value& function) {
  if (function.is<Callable>()) return std::nullopt;
  const auto* ref = function.get_if<Ref>();
  if (ref == nullptr) return std::string(kind_of(function));
  const Object found = call.names().get(ref->name);
  if (found.is<DecoratedFunction>()) return std::nullopt;
  return std::string(found.kind());
}

Value run_function(Call& call, const Value& function, const std::vector<Value>& arguments) {
  const auto wrong = not_callable(call, function);
  check(!wrong, ErrorKind::kType, [&] { return "the " + *wrong + " is not callable"; });
  if (const auto* callable = function.get_if<Callable>()) {
    return call.call_back_for_object(callable->name, arguments);
  }
  const auto decorated = call.names().get(function.get_if<Ref>()->name).as<DecoratedFunction>();
  const RegionGuard inside(decorated->region->region());
  return run_function(call, decorated->function, arguments);
}

}  // namespace

void autocast_region(Call& call) {
  const std::shared_ptr<RegionScope> made = make_region(call);
  made->region().enter();
  call.result(Object(std::static_pointer_cast<Guard>(made), "region"));
}

void autocast_construct(Call& call) {
  call.result(Object(std::static_pointer_cast<Guard>(make_region(call)), "region"));
}

/// Entering returns the region since 2.11, and None before (CAST-602).
void autocast_enter(Call& call) {
  const std::shared_ptr<RegionScope> entered = region_argument(call);
  entered->region().enter();
  if (call.contract().before(Release::k2_11)) return call.result(Value());
  call.result(Object(std::static_pointer_cast<Guard>(entered), "region"));
}

void autocast_exit(Call& call) { region_argument(call)->region().exit(); }

/// Until 2.11, what cannot be called is detected at the call (CAST-609).
void autocast_decorate(Call& call) {
  auto made = std::make_shared<DecoratedFunction>();
  made->region = region_argument(call);
  made->function = call.arguments().value("function");
  if (!call.contract().before(Release::k2_12)) {
    const auto wrong = not_callable(call, made->function);
    check(!wrong, ErrorKind::kType, [&] {
      return "autocast()(func) requires a callable, but got " + *wrong +
             ". Did you mean to use autocast as a context manager?";
    });
  }
  call.result(Object(std::move(made), "function"));
}

void autocast_call(Call& call) {
  std::vector<Value> arguments;
  if (call.has("args")) arguments = call.arguments().items("args");
  const Value returned = run_function(call, call.arguments().value("function"), arguments);
  if (const auto* ref = returned.get_if<Ref>()) {
    const Object object = call.names().get(ref->name);
    call.take_back();  // a lent name does not belong to the client
    return call.result(object);
  }
  call.result(returned);
}

}  // namespace assay::reference
