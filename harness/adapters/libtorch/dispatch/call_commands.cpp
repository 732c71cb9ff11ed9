// Area dispatch: typed and boxed calls, and the kernels that ran in them.
#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/keys.hpp"
#include "harness/adapters/libtorch/menu/menu.hpp"
#include "harness/adapters/libtorch/names.hpp"
#include "harness/adapters/libtorch/ran_kernels.hpp"

namespace assay::libtorch {
namespace {

Stack arguments_given(Call& call, const c10::OperatorHandle& op) {
  Stack values;
  for (const Value& value : call.arguments().items("args")) {
    const bool is_known = op.hasSchema() && values.size() < op.schema().arguments().size();
    const c10::TypePtr type =
        is_known ? op.schema().arguments()[values.size()].real_type() : nullptr;
    values.push_back(ivalue_from(call, value, type));
  }
  return values;
}

/// Arguments omitted at the end have their defaults, as in a C++ program that calls the operator.
void fill_defaults(const c10::OperatorHandle& op, Stack& values) {
  if (!op.hasSchema()) return;
  const auto& arguments = op.schema().arguments();
  while (values.size() < arguments.size()) {
    const auto& standard = arguments[values.size()].default_value();
    TORCH_CHECK(standard.has_value(), op.schema().name(), "() is missing value for argument '",
                arguments[values.size()].name(), "'");
    values.push_back(*standard);
  }
}

std::optional<std::string> signature_given(Call& call) {
  if (call.has("signature")) return call.arguments().text("signature");
  if (!call.arguments().value("op").is<Ref>()) return std::nullopt;
  return call.held<NamedHandle>("op", "handle")->signature;
}

std::optional<c10::DispatchKeySet> keys_given(Call& call) {
  if (!call.has("keys")) return std::nullopt;
  return set_argument(call, "keys");
}

Stack run_typed_call(Call& call, const c10::OperatorHandle& op) {
  const auto given = signature_given(call);
  const MenuEntry& entry = given ? menu_entry(*given) : usual_entry(op);
  entry.expect(op);
  Stack values = arguments_given(call, op);
  fill_defaults(op, values);
  return entry.call(op, keys_given(call), values);
}

void push_arguments(Call& call, const c10::OperatorHandle& op, Stack& stack) {
  Stack values = arguments_given(call, op);
  const auto all = static_cast<std::int64_t>(values.size());
  const std::int64_t depth = call.arguments().integer("depth", all);
  if (depth < 0 || depth > all) throw InvalidArgument("'depth' must lie between 0 and the args");
  if (depth < all) throw NotSupported("PyTorch does not check the depth of the stack");
  for (c10::IValue& value : values) stack.push_back(std::move(value));
}

void run_for_key(const c10::OperatorHandle& op, c10::DispatchKey key, Stack& stack) {
  const bool is_there = op.hasKernelForDispatchKey(key) ||
                        (!c10::isAliasDispatchKey(key) &&
                         c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(key));
  // DSP-605: an unknown operator is signal 11.
  if (!is_there)
    throw NotSupported("PyTorch does not check whether there is a kernel, and would crash");
  op.callBoxedForDispatchKey(key, stack);
}

void run_on_stack(Call& call, const c10::OperatorHandle& op, Stack& stack) {
  if (call.has("for_key")) {
    return run_for_key(op, key_named(call.arguments().text("for_key")), stack);
  }
  if (call.has("keys")) return op.redispatchBoxed(set_argument(call, "keys"), &stack);
  op.callBoxed(&stack);
}

/// The client's stack is a list made by `core.ivalue`: PyTorch's stack after a call is copied back
/// to it, also if the call failed (DSP-611).
class StackGiven {
 public:
  explicit StackGiven(Call& call) {
    if (!call.has("stack")) return;
    box_ = call.held<c10::IValue>("stack", "ivalue");
    if (!box_->isList()) throw InvalidArgument("the stack must be a list");
    for (const c10::IValue& item : box_->toListRef()) stack.push_back(item);
  }
  ~StackGiven() {
    if (box_ == nullptr) return;
    c10::impl::GenericList list(c10::AnyType::get());
    for (const c10::IValue& item : stack) list.push_back(item);
    *box_ = list;
  }
  StackGiven(const StackGiven&) = delete;
  StackGiven& operator=(const StackGiven&) = delete;

  Stack stack;

 private:
  std::shared_ptr<c10::IValue> box_;
};

Stack run_boxed_call(Call& call, const c10::OperatorHandle& op) {
  StackGiven given(call);
  Stack& stack = given.stack;
  if (call.has("below")) {
    for (const Value& value : call.arguments().items("below")) {
      stack.push_back(ivalue_from(call, value));
    }
  }
  const std::size_t below = stack.size();
  push_arguments(call, op, stack);
  run_on_stack(call, op, stack);

  const auto first = static_cast<std::ptrdiff_t>(std::min(below, stack.size()));
  List left;
  for (auto at = stack.begin(); at != stack.begin() + first; ++at) {
    left.items.push_back(value_of(call, *at));
  }
  call.set("stack", std::move(left));
  return {stack.begin() + first, stack.end()};
}

void give_results(Call& call, const Stack& results) {
  if (results.empty()) return call.result(Value());
  if (results.size() > 1) {
    List list;
    for (const c10::IValue& result : results) list.items.push_back(value_of(call, result));
    return call.result(Value(std::move(list)));
  }
  if (results.front().isTensor()) return call.result(results.front().toTensor());
  call.result(value_of(call, results.front()));
}

/// Records kernels on the thread that created it, until it is left.
class Trace final : public Guard {
 public:
  void leave() override { ran_.stop(); }
  List take() { return ran_.take(); }

 private:
  RanKernels ran_;
};

}  // namespace

void dispatch_call(Call& call) {
  const c10::OperatorHandle op = operator_argument(call, "op");
  const bool is_boxed = call.arguments().boolean("boxed", false) || call.has("for_key");
  RanKernels ran;
  const Stack results = is_boxed ? run_boxed_call(call, op) : run_typed_call(call, op);
  ran.stop();
  give_results(call, results);
  call.set("ran", ran.take());
  call.blind("own");
}

void dispatch_handle(Call& call) {
  const c10::OperatorHandle op = operator_argument(call, "op");
  auto made = std::make_shared<NamedHandle>(NamedHandle{op, op.operator_name(), std::nullopt});
  if (call.has("signature")) {
    made->signature = call.arguments().text("signature");
    menu_entry(*made->signature).expect(op);
  }
  call.result(Object(std::move(made), "handle"));
}

void dispatch_trace(Call& call) {
  std::shared_ptr<Guard> made = std::make_shared<Trace>();
  call.result(Object(std::move(made), "trace"));
}

void dispatch_traced(Call& call) {
  const auto held = std::dynamic_pointer_cast<Trace>(call.held<Guard>("trace", "trace"));
  if (held == nullptr) throw InvalidArgument("dispatch.traced: 'trace' must be a trace");
  call.result(Value(held->take()));
}

}  // namespace assay::libtorch
