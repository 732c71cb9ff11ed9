// Autocast for a client's autograd function; cast rules of clients for their own operators.
#include "reference/autocast/custom_rule.hpp"

#include "reference/autocast/casts.hpp"
#include "reference/autocast/region.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/types/device.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/operators/call.hpp"

namespace assay::reference {
namespace {

bool is_old(const Runtime& runtime) { return runtime.contract().release == Release::k1_13; }

/// 1.13 supports CUDA only.
CastDevice device_of(const Runtime& runtime, const CustomCasts& casts) {
  return device_from_text(casts.device, runtime.contract()).type;
}

/// Like `torch.cuda.amp.autocast` in 1.13: the default dtype is float16.
RegionOptions region_of(const Runtime& runtime, const CustomCasts& casts, bool enabled) {
  RegionOptions options;
  options.device = casts.device;
  options.enabled = enabled;
  options.cuda_available = true;
  if (is_old(runtime) && casts.device == "cuda") options.dtype = ScalarType::kHalf;
  return options;
}

/// Emulates PyTorch's backward thread of a CUDA device, on which no region is active.
class NestingOfOtherThread {
 public:
  explicit NestingOfOtherThread(Runtime& runtime)
      : runtime_(runtime), outer_(change_nesting(runtime, 0)) {
    change_nesting(runtime_, -outer_);
  }
  ~NestingOfOtherThread() { change_nesting(runtime_, outer_ - change_nesting(runtime_, 0)); }
  NestingOfOtherThread(const NestingOfOtherThread&) = delete;
  NestingOfOtherThread& operator=(const NestingOfOtherThread&) = delete;

 private:
  Runtime& runtime_;
  int outer_;
};

}  // namespace

CustomCastState custom_forward(
    Runtime& runtime, const CustomCasts& casts,
    const std::function<void(std::optional<ScalarType> cast_inputs)>& forward) {
  const CastDevice device = device_of(runtime, casts);
  const bool enabled = is_autocast_enabled(runtime, device);
  CustomCastState state{autocast_dtype(runtime, device), enabled && !casts.inputs};
  if (!casts.inputs || !enabled) {
    forward(std::nullopt);
    return state;
  }
  AutocastRegion off(runtime, region_of(runtime, casts, false));
  const RegionGuard entered(off);
  forward(casts.inputs);
  return state;
}

void custom_backward(Runtime& runtime, const CustomCasts& casts, const CustomCastState& state,
                     Device device, const std::function<void()>& backward) {
  std::optional<NestingOfOtherThread> apart;
  if (device.is_cuda()) apart.emplace(runtime);
  RegionOptions options = region_of(runtime, casts, state.used_autocast);
  if (!is_old(runtime)) {
    options.dtype = state.dtype;
  }
  AutocastRegion region(runtime, options);
  const RegionGuard entered(region);
  backward();
}

Tensor cast_input(Runtime& runtime, const Tensor& input, const std::string& device, ScalarType to) {
  if (!input.defined() || !is_floating(input.dtype()) || input.dtype() == ScalarType::kDouble) {
    return input;
  }
  if (name_of(input.device().type, runtime.contract().release) != device) return input;
  return cast_to(runtime, input, to);
}

// Cast rules.

namespace {

constexpr const char* kLabel = "autocast_custom";

/// Also casts in lists; does not use the cache (CAST-805).
IValue cast_deeply(Runtime& runtime, const IValue& value, const CastRule& rule) {
  if (const auto* tensor = std::get_if<Tensor>(&value.payload())) {
    return IValue(cast_input(runtime, *tensor, rule.device, rule.dtype));
  }
  const auto* list = std::get_if<IValue::ListPtr>(&value.payload());
  if (list == nullptr) return value;
  IValue::List mapped;
  for (const IValue& item : **list) mapped.push_back(cast_deeply(runtime, item, rule));
  return IValue(std::make_shared<IValue::List>(std::move(mapped)));
}

/// CAST-803
void expect_positional(const FunctionSchema& schema) {
  for (const SchemaArgument& argument : schema.arguments) {
    check(!argument.kwarg_only, ErrorKind::kAssertion, [&] {
      return "autocast of " + to_text(schema.name) +
             ": keyword-only arguments are not supported, and '" + argument.name + "' is one";
    });
  }
}

/// CAST-804: until 2.12 a device's first rule remains its only one.
void expect_no_rule(const OperatorHandle& op, DispatchKey key) {
  const auto known = op.state()->newest_at(key);
  const bool is_new = known == nullptr || known->debug != kLabel;
  check(is_new, [&] {
    return "there is already a rule registered for " + op.name() + " at " + name_of(key);
  });
}

/// The keys that are off inside a rule at `own` (CAST-802).
KeySet keys_off(const Dispatcher& dispatcher, DispatchKey own) {
  if (!dispatcher.runtime().contract().before(Release::k2_13)) {
    return set_of(dispatcher.layout(), own);
  }
  return set_of(dispatcher.layout(), {Functionality::kAutocastCPU, Functionality::kAutocastCUDA});
}

Kernel cast_kernel(CastRule rule, KeySet off_inside) {
  return Kernel::boxed(
      [rule = std::move(rule), off_inside](const OperatorHandle& op, KeySet, Stack& stack) {
        Dispatcher& dispatcher = op.dispatcher();
        expect_positional(op.schema());
        const ExcludeKeyGuard off(dispatcher.runtime(), off_inside);
        Stack mapped;
        const BoxedArguments args = take_arguments(op, stack);
        for (const IValue& value : args.values()) {
          mapped.push_back(cast_deeply(dispatcher.runtime(), value, rule));
        }
        for (IValue& result : dispatcher.call(op, std::move(mapped))) {
          stack.push_back(std::move(result));
        }
      });
}

/// Until 2.12 only two devices can have such rules.
CastDevice one_of_two(const std::string& device) {
  check(device == "cpu" || device == "cuda", ErrorKind::kValue,
        [&] { return "Unknown device type: " + device; });
  return device == "cpu" ? DeviceType::kCpu : DeviceType::kCuda;
}

/// In compat mode, PyTorch does not find the keys of three devices by their names.
void expect_named_key(CastDevice device, const Contract& contract) {
  const bool is_unnamed =
      device == DeviceType::kXla || device == DeviceType::kMtia || device == DeviceType::kOrt;
  check(!is_unnamed || contract.strict(), ErrorKind::kAttribute, [&] {
    return "type object 'torch._C.DispatchKey' has no attribute 'Autocast" +
           std::string(dispatch_key_of(device, contract.release)) + "'";
  });
}

/// CAST-801
CastDevice ruled_device(const std::string& text, const Contract& contract) {
  if (contract.before(Release::k2_13)) return one_of_two(text);
  const Device device = device_from_text(text, contract);
  check(text.find(':') == std::string::npos,
        [&] { return "Expected device_type string to not have a device index; got " + text; });
  check(is_autocast_available(device.type, contract.release), ErrorKind::kValue,
        [&] { return "Device type '" + text + "' does not support autocast."; });
  expect_named_key(device.type, contract);
  return device.type;
}

}  // namespace

Registration register_cast_rule(Dispatcher& dispatcher, CastRule rule) {
  const Contract& contract = dispatcher.runtime().contract();
  const CastDevice device = ruled_device(rule.device, contract);
  const DispatchKey key = autocast_key(device, contract.release);
  const std::string op = rule.op;
  const OperatorHandle known = dispatcher.op(op);
  if (contract.before(Release::k2_13)) expect_no_rule(known, key);
  return dispatcher.impl(op, key, cast_kernel(std::move(rule), keys_off(dispatcher, key)), kLabel);
}

}  // namespace assay::reference
