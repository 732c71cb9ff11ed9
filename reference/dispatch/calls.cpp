// Calls: from the arguments' keys to the kernel.
#include <algorithm>

#include "reference/core/runtime.hpp"
#include "reference/core/types/contract.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/keys/tensor_keys.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/registry/registration_checks.hpp"
#include "reference/dispatch/schema/schema.hpp"
#include "reference/dispatch/watch/dump.hpp"
#include "reference/dispatch/watch/observer.hpp"

namespace assay::reference {
namespace {

// The dispatch keys of a call's arguments, from their C++ types or from the schema.

/// The keys of a tensor, a generator or the tensors in a list; other values have none.
KeySet keys_in(const KeyLayout& layout, const IValue& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value.payload())) {
    return key_set_of(layout, *tensor);
  }
  if (const auto* generator = std::get_if<IValue::GeneratorPtr>(&value.payload())) {
    return key_set_of(layout, *generator);
  }
  KeySet keys;
  if (const auto* list = std::get_if<IValue::ListPtr>(&value.payload())) {
    for (const IValue& item : **list) keys = keys | keys_in(layout, item);
  }
  return keys;
}

bool is_optional_tensor(const CppType& type) {
  return type.is("optional") && type.of.front().is("Tensor");
}

/// DSP-204. Counts a fixed-size array like its boxed form; PyTorch ignores it (DSP-206).
bool contributes(const CppType& type, Deviations deviations) {
  if (type.is("Tensor") || type.is("Generator")) return true;
  if (is_optional_tensor(type)) return true;
  if (type.is("optional")) {
    return type.of.front().is("Generator");
  }
  if (type.is("ArrayRef")) return type.of.front().is("Tensor");
  if (type.is("List")) {
    return is_optional_tensor(type.of.front());
  }
  return type.is("array") && type.of.front().is("Tensor") && deviations == Deviations::kStrict;
}

/// For a typed call (DSP-204, DSP-206).
KeySet typed_argument_keys(const KeyLayout& layout, const CppSignature& signature,
                           const TypedArguments& arguments, Deviations deviations) {
  KeySet keys;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!contributes(signature.parameters[i], deviations)) continue;
    keys = keys | keys_in(layout, *arguments[i]);
  }
  return keys;
}

/// For a boxed call: considers the top of the stack, which must hold as many values as the schema
/// has arguments (DSP-205).
KeySet boxed_argument_keys(const KeyLayout& layout, const FunctionSchema& schema,
                           const Stack& stack) {
  KeySet keys;
  const std::size_t first = stack.size() - schema.arguments.size();
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    if (!is_dispatch_argument(schema.arguments[i].type)) continue;
    const IValue& value = stack[first + i];
    if (value.kind() == "Generator") continue;  // not what the schema wants, so it has no keys
    keys = keys | keys_in(layout, value);
  }
  return keys;
}

}  // namespace

// From the keys to the kernel.

/// The result of dispatching: a table, the selected slot, and the kernel's key set. Keeps the
/// kernel alive while it runs (DSP-615).
struct Dispatcher::Choice {
  Table table;
  TableEntry entry;
  DispatchKey key;
  KeySet keys;
};

namespace {

void notify_watchers(const OperatorHandle& op, const Registered& kernel, DispatchKey key,
                     KeySet keys, std::vector<const IValue*> arguments) {
  const bool boxed = !kernel.kernel.is_typed();
  const std::string& label = kernel.kernel.label().empty() ? kernel.debug : kernel.kernel.label();
  notify_watchers(KernelStart{op, label, key, keys, boxed, std::move(arguments)});
}

/// The number of arguments on top of a stack.
std::size_t arguments_of(const OperatorState& op, const Kernel& kernel, const Stack& stack) {
  if (op.has_schema()) return op.definition->schema.arguments.size();
  if (const CppSignature* signature = kernel.signature()) return signature->parameters.size();
  return stack.size();
}

// DSP-708
void expect_no_guard(const OperatorState& op, const Kernel& kernel) {
  check(kernel.kind() != KernelKind::kNamedGuard,
        [&] { return to_text(op.name) + " is not yet supported with named tensors"; });
}

/// The nesting depth of kernels on the thread. Limits endless redispatch, which in PyTorch
/// overflows the stack.
class Depth {
 public:
  explicit Depth(const OperatorState& op) {
    ++depth_;
    if (depth_ <= kMost) return;
    --depth_;
    throw Error(ErrorKind::kInternal, to_text(op.name) + " was called " + std::to_string(kMost) +
                                          " calls deep: a kernel calls itself without end");
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  static constexpr int kMost = 400;
  static thread_local int depth_;
};

thread_local int Depth::depth_ = 0;

auto to_signed(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

bool is_autograd(const KeyLayout& layout, DispatchKey key) {
  return is_member(layout, key, Functionality::kAutograd);
}

}  // namespace

KeySet Dispatcher::effective(const Table& table, KeySet arguments) const {
  const ThreadKeys thread = thread_keys(runtime_);
  return effective_keys(table, {arguments, thread.included, thread.excluded});
}

KeySet Dispatcher::boxed_keys(const Table& table, const Stack& stack) const {
  if (!table.op->has_schema()) return {};  // DSP-408
  const FunctionSchema& schema = table.op->definition->schema;
  expect_depth(to_text(schema.name), schema.arguments.size(), stack);
  return boxed_argument_keys(layout(), schema, stack);
}

Dispatcher::Choice Dispatcher::choose(Table table, KeySet keys) const {
  const DispatchKey key = highest_key(layout(), keys);
  TableEntry entry = table.entry(key);
  expect_valid(table, entry, key, keys);
  return {std::move(table), std::move(entry), key, keys};
}

void Dispatcher::run(const OperatorHandle& op, const Choice& choice, Stack& stack) const {
  expect_runnable(choice.table, choice.entry, choice.key);
  const OperatorState& state = *choice.table.op;
  const Depth depth(state);
  const Registered& registered = *choice.entry.kernel;
  const std::string name = to_text(state.name);
  const std::size_t count = arguments_of(state, registered.kernel, stack);
  expect_depth(name, count, stack);
  expect_no_guard(state, registered.kernel);
  if (is_watched(*this)) {
    std::vector<const IValue*> arguments;
    for (std::size_t i = stack.size() - count; i < stack.size(); ++i)
      arguments.push_back(&stack[i]);
    notify_watchers(op, registered, choice.key, choice.keys, std::move(arguments));
  }

  const std::size_t below = stack.size() - count;
  const KernelCall call{registered.kernel, op, name, choice.keys};
  if (registered.kernel.is_typed()) return run_unboxed(call, stack);
  registered.kernel.run_boxed(op, choice.keys, stack);
  if (!state.has_schema() || !runtime_.contract().strict()) return;
  expect_results(name, state.definition->schema.returns.size(), stack.size() - below);  // DSP-609
}

Stack Dispatcher::run(const TypedHandle& op, const Choice& choice,
                      const TypedArguments& arguments) const {
  expect_runnable(choice.table, choice.entry, choice.key);
  const OperatorState& state = *choice.table.op;
  const Depth depth(state);
  const Registered& registered = *choice.entry.kernel;
  expect_no_guard(state, registered.kernel);
  if (is_watched(*this)) {
    notify_watchers(op.op, registered, choice.key, choice.keys,
                    {arguments.begin(), arguments.end()});
  }

  if (registered.kernel.is_typed()) {
    return registered.kernel.run_typed(op.op, choice.keys, arguments);
  }
  const std::string name = to_text(state.name);
  return run_with_boxing({registered.kernel, op.op, name, choice.keys}, op.signature, arguments,
                         runtime_.contract().deviations);
}

void Dispatcher::call_boxed(const OperatorHandle& op, Stack& stack) {
  const Table table = table_of(op);
  const Choice choice = choose(table, effective(table, boxed_keys(table, stack)));
  const ShownCall shown(layout(), "callBoxed", table.op->name, choice.keys);
  const auto observers = observers_of(*table.op);
  if (observers.empty()) return run(op, choice, stack);

  // PyTorch shows the whole stack to observers (DSP-807).
  const bool strict = runtime_.contract().strict();
  const std::size_t count = arguments_of(*table.op, Kernel::fallthrough(), stack);
  const std::size_t first = strict ? stack.size() - count : 0;
  Observation observation(observers,
                          observed(choice, {stack.begin() + to_signed(first), stack.end()}));
  run(op, choice, stack);
  observation.succeeded({stack.begin() + to_signed(std::min(first, stack.size())), stack.end()});
}

Stack Dispatcher::call(const OperatorHandle& op, Stack arguments) {
  call_boxed(op, arguments);
  return arguments;
}

void Dispatcher::redispatch_boxed(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const Table table = table_of(op);
  const Choice choice = choose(table, keys);
  const ShownCall shown(layout(), "redispatchBoxed", choice.table.op->name, keys);
  run(op, choice, stack);
}

void Dispatcher::call_boxed_for_key(const OperatorHandle& op, DispatchKey key, Stack& stack) {
  Table table = table_of(op);
  const KeySet keys = effective(table, boxed_keys(table, stack));
  TableEntry entry{table.op->newest_at(key), Provenance::kKernel};
  if (const auto fallback = table.fallbacks->find(key);
      entry.kernel == nullptr && fallback != table.fallbacks->end()) {
    entry = {fallback->second, Provenance::kFallback};
  }
  check(entry.kernel != nullptr, ErrorKind::kInternal, [&] {
    return "Tried to call an uninitialized BoxedKernel: " + op.name() + " has none at " +
           name_of(key);
  });
  const ShownCall shown(layout(), "callBoxedForDispatchKey", table.op->name, set_of(layout(), key));
  run(op, {std::move(table), std::move(entry), key, keys}, stack);
}

Stack Dispatcher::call_typed(const TypedHandle& op, const TypedArguments& arguments) {
  const Table table = table_of(op.op);
  expect_called_as(*table.op, op.signature);
  const KeySet keys =
      typed_argument_keys(layout(), op.signature, arguments, runtime_.contract().deviations);
  const Choice choice = choose(table, effective(table, keys));
  const ShownCall shown(layout(), "call", table.op->name, choice.keys);
  const auto observers = observers_of(*table.op);
  if (observers.empty()) return run(op, choice, arguments);

  Stack inputs;
  for (const IValue* argument : arguments) inputs.push_back(*argument);
  Observation observation(observers, observed(choice, std::move(inputs)));
  Stack results = run(op, choice, arguments);
  observation.succeeded(results);
  return results;
}

Stack Dispatcher::redispatch_typed(const TypedHandle& op, KeySet keys,
                                   const TypedArguments& arguments) {
  const Table table = table_of(op.op);
  expect_called_as(*table.op, op.signature);
  const Choice choice = choose(table, keys);
  const ShownCall shown(layout(), "redispatch", table.op->name, keys);
  return run(op, choice, arguments);
}

Observers::List Dispatcher::observers_of(const OperatorState& op) const {
  auto picked = observers_->picked();
  if (picked.empty() || !is_observed(op.name)) return {};
  check(op.has_schema() || runtime_.contract().strict(), ErrorKind::kInternal, [&] {
    return "Tried to access the schema for " + to_text(op.name) +
           " which doesn't have a schema registered yet";
  });
  return picked;
}

/// DSP-808: assigns the sequence number of the autograd node that the call may create.
ObservedCall Dispatcher::observed(const Choice& choice, Stack inputs) {
  ObservedCall call{to_text(choice.table.op->name), choice.table.op->has_schema()};
  const auto keys = keys_of(layout(), choice.keys);
  const bool any = std::any_of(keys.begin(), keys.end(),
                               [&](DispatchKey key) { return is_autograd(layout(), key); });
  const bool highest = is_autograd(layout(), choice.key);
  const bool only_highest = runtime_.contract().release == Release::k1_13;
  const bool may_record = only_highest ? highest : any;
  if (may_record && is_grad_enabled(runtime_)) call.sequence = observers_->next_sequence();
  call.inputs = std::move(inputs);
  return call;
}

}  // namespace assay::reference
