// Cast rules of clients for their own operators.
#include "reference/autocast/custom_rule.hpp"

#include "reference/autocast/casts.hpp"
#include "reference/autocast/custom_function.hpp"
#include "reference/core/types/device_text.hpp"
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

/// CAST-804: a device's first rule remains its only one.
void expect_no_rule(const OperatorHandle& op, DispatchKey key) {
  const auto known = op.state()->newest_at(key);
  const bool is_new = known == nullptr || known->debug != kLabel;
  check(is_new, [&] {
    return "there is already a rule registered for " + op.name() + " at " + name_of(key);
  });
}

Kernel cast_kernel(CastRule rule) {
  return Kernel::boxed([rule = std::move(rule)](const OperatorHandle& op, KeySet, Stack& stack) {
    Dispatcher& dispatcher = op.dispatcher();
    expect_positional(op.schema());
    const ExcludeKeyGuard off(
        dispatcher.runtime(),
        set_of(dispatcher.layout(), {Functionality::kAutocastCPU, Functionality::kAutocastCUDA}));
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

}  // namespace

Registration register_cast_rule(Dispatcher& dispatcher, CastRule rule) {
  check(rule.device == "cpu" || rule.device == "cuda", ErrorKind::kValue,
        [&] { return "Unknown device type: " + rule.device; });
  const DispatchKey key =
      rule.device == "cpu" ? Functionality::kAutocastCPU : Functionality::kAutocastCUDA;
  const std::string op = rule.op;
  expect_no_rule(dispatcher.op(op), key);
  return dispatcher.impl(op, key, cast_kernel(std::move(rule)), kLabel);
}

}  // namespace assay::reference
