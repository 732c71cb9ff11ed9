// Area autocast: the calling thread's state and the weight cache, regions, the parts of wrappers,
// and wrappers that clients register.
#include <algorithm>

#include "reference/autocast/casts.hpp"
#include "reference/autocast/custom_rule.hpp"
#include "reference/autocast/op_lists.hpp"
#include "reference/autocast/region.hpp"
#include "reference/autocast/state.hpp"
#include "reference/autocast/weight_cache.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/core/types/device.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// The argument `device`, a device type in text form. Raises `error` for an invalid text.
CastDevice device_argument(Call& call);

CastDevice device_argument(Call& call) {
  return device_from_text(call.arguments().text("device"), call.contract()).type;
}

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

// Regions, and functions that run inside them.

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

// The parts of wrappers, and wrappers that clients register.

namespace {

std::vector<IValue> boxed_arguments(Call& call) {
  std::vector<IValue> boxed;
  for (const Value& value : call.arguments().items("args")) {
    boxed.push_back(ivalue_from(call, value));
  }
  return boxed;
}

IValue boxed_value(Call& call) { return ivalue_from(call, call.arguments().value("value")); }

void give_registration(Call& call, Registration registration) {
  call.result(Object(std::make_shared<Registration>(std::move(registration)), "registration"));
}

}  // namespace

void autocast_is_eligible(Call& call) {
  call.result(is_eligible(call.tensor("tensor"), device_argument(call)));
}

void autocast_cached_cast(Call& call) {
  const Value& given = call.arguments().value("value");
  const IValue mapped =
      cached_cast(call.runtime(), call.dtype("to"), boxed_value(call), device_argument(call));
  if (mapped.kind() == "Tensor") return call.result(mapped.to_tensor());
  const auto* items = given.get_if<assay::List>();
  if (items == nullptr) return call.result(given);  // CAST-207
  assay::List list;
  for (const IValue& item : *std::get<IValue::ListPtr>(mapped.payload())) {
    const std::size_t at = list.items.size();
    const bool is_tensor = item.kind() == "Tensor";
    list.items.push_back(is_tensor ? call.give_as(std::to_string(at), item.to_tensor())
                                   : items->items[at]);
  }
  call.set("result", std::move(list));
}

void autocast_prioritize(Call& call) {
  call.result(to_protocol(
      prioritize(call.runtime(), call.dtype("current"), boxed_value(call), device_argument(call))));
}

void autocast_promote_type(Call& call) {
  call.result(to_protocol(promote_type(call.runtime(), call.dtype("start"), device_argument(call),
                                       boxed_arguments(call))));
}

void autocast_set_opt_dtype(Call& call) {
  call.result(to_protocol(set_opt_dtype(call.dtype("to"), call.dtype_or_none("dtype"))));
}

void autocast_first_is_eligible(Call& call) {
  call.result(first_is_eligible(device_argument(call), boxed_arguments(call)));
}

void autocast_type_from_first(Call& call) {
  const std::vector<IValue> args = boxed_arguments(call);
  if (args.empty() || args.front().kind() != "Tensor") {
    throw InvalidArgument("autocast.type_from_first: the first argument must be a tensor");
  }
  call.result(to_protocol(type_from_first(device_argument(call), call.dtype("to"), args)));
}

void autocast_rules(Call& call) {
  std::vector<std::string> texts;
  for (const ListedOp& listed : op_list(device_argument(call), call.contract())) {
    texts.push_back(std::string(listed.op) + "=" + std::string(name_of(listed.policy)));
  }
  std::ranges::sort(texts);
  assay::List list;
  for (std::string& text : texts) list.items.emplace_back(std::move(text));
  call.set("result", std::move(list));
}

void autocast_wrap(Call& call) {
  const std::string word = call.arguments().text("policy");
  const auto policy = cast_policy_named(word);
  if (!policy || *policy == CastPolicy::kRnn) {
    throw InvalidArgument("autocast.wrap: there is no policy '" + word + "'");
  }
  const std::string op = call.arguments().text("op");
  const CastDevice device = device_argument(call);
  std::string target = call.has("to") ? call.arguments().text("to") : std::string();
  if (target.empty() && *policy == CastPolicy::kAppend) target = append_target(op);
  give_registration(call,
                    dispatcher_of(call.runtime())
                        .impl(op, autocast_key(device, call.contract().release),
                              autocast_wrapper({*policy, device, target}), "autocast_" + word));
}

void autocast_register(Call& call) {
  if (call.contract().before(Release::k2_11)) {
    throw NotSupported("register_autocast came with 2.6");
  }
  const Value& device = call.arguments().value("device");
  const auto* text = device.get_if<std::string>();
  const bool is_old = call.contract().before(Release::k2_13);
  check(text != nullptr, is_old ? ErrorKind::kValue : ErrorKind::kType,
        [&] { return "the device type must be a text, not " + std::string(kind_of(device)); });
  give_registration(call,
                    register_cast_rule(dispatcher_of(call.runtime()),
                                       {call.arguments().text("op"), *text, call.dtype("dtype")}));
}

}  // namespace assay::reference
