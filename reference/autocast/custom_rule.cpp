// Cast rules of clients for their own operators.
#include "reference/autocast/custom_rule.hpp"

#include "reference/autocast/casts.hpp"
#include "reference/autocast/custom_function.hpp"
#include "reference/core/types/device.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/operators/boxed_arguments.hpp"

namespace assay::reference {
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
