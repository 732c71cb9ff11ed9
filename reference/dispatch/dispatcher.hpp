// The dispatcher: operators are registered in it, and called through it.
//
// A kernel of the reference is written like this:
//
//   dispatcher.keep(dispatcher.define("aten::mine(Tensor a, float b) -> Tensor"));
//   dispatcher.keep(dispatcher.impl("aten::mine", Backend::kCPU, Kernel::boxed(
//       [](const OperatorHandle& op, KeySet keys, Stack& stack) {
//         ...  // takes its two arguments off the stack, pushes its result
//         op.dispatcher().redispatch_boxed(op, keys & after_autograd, stack);
//       }), "mine_cpu"));
//   Stack results = dispatcher.call(dispatcher.op("aten::mine"), {IValue(a), IValue(2.0)});
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/dispatch/registry/autograd_fallback.hpp"
#include "reference/dispatch/registry/registry.hpp"
#include "reference/dispatch/registry/table.hpp"
#include "reference/dispatch/watch/observer.hpp"

namespace assay::reference {

/// An operator and the signature of its calls (DSP-616).
struct TypedHandle {
  OperatorHandle op;
  CppSignature signature;
};

/// One for each session. Thread-safe. It has no cached tables: each call is resolved by rule from
/// the registrations, the arguments and the thread's keys.
class Dispatcher {
 public:
  explicit Dispatcher(Runtime& runtime);
  /// Copies all registrations of `prototype`, which must have the same contract and must not change
  /// meanwhile. Kernels are shared, so they can refer to a dispatcher only through the handle that
  /// they are called with.
  Dispatcher(Runtime& runtime, const Dispatcher& prototype);
  /// Remaining registrations and handles have no effect any more (DSP-420).
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  Runtime& runtime() const { return runtime_; }
  const KeyLayout& layout() const { return registry_->layout(); }
  Registry& registry() { return *registry_; }
  Observers& observers() { return *observers_; }

  /// Registrations (DSP-4xx). Destroying the returned handle removes the registration.
  Registration define(std::string_view schema, const DefineOptions& options = {});
  Registration impl(std::string_view name, std::optional<DispatchKey> key, const Kernel& kernel,
                    const std::string& debug);
  Registration fallback(DispatchKey key, const Kernel& kernel, const std::string& debug);
  /// Keeps a built-in registration for the lifetime of the dispatcher.
  void keep(Registration registration);
  void set_autograd_fallback(AutogradFallback mode);

  /// Finds an operator, with or without a schema (DSP-701).
  std::optional<OperatorHandle> find(const OperatorName& name) const;
  /// Raises `error` unless the operator has a schema.
  OperatorHandle find_or_throw(const OperatorName& name) const;
  /// The same, by a name such as `aten::mul.Tensor`.
  OperatorHandle op(std::string_view name) const;
  /// Raises `error` if the operator does not have this signature (DSP-704).
  TypedHandle typed(const OperatorHandle& op, const CppSignature& signature) const;
  Table table_of(const OperatorHandle& op) const;

  /// DSP-604. Replaces the arguments on top of the stack by the results.
  void call_boxed(const OperatorHandle& op, Stack& stack);
  /// Like call_boxed, on a separate stack.
  Stack call(const OperatorHandle& op, Stack arguments);
  /// DSP-602, DSP-606: dispatches by exactly these keys.
  void redispatch_boxed(const OperatorHandle& op, KeySet keys, Stack& stack);
  /// DSP-605: runs the kernel or the fallback of this key.
  void call_boxed_for_key(const OperatorHandle& op, DispatchKey key, Stack& stack);

  /// DSP-601. May move from arguments of by-value parameters.
  Stack call_typed(const TypedHandle& op, const TypedArguments& arguments);
  Stack redispatch_typed(const TypedHandle& op, KeySet keys, const TypedArguments& arguments);

 private:
  struct Choice;

  Choice choose(Table table, KeySet keys) const;
  KeySet effective(const Table& table, KeySet arguments) const;
  KeySet boxed_keys(const Table& table, const Stack& stack) const;
  void run(const OperatorHandle& op, const Choice& choice, Stack& stack) const;
  Stack run(const TypedHandle& op, const Choice& choice, const TypedArguments& arguments) const;
  Observers::List observers_of(const OperatorState& op) const;
  ObservedCall observed(const Choice& choice, Stack inputs);

  Runtime& runtime_;
  std::shared_ptr<Registry> registry_;
  std::shared_ptr<Observers> observers_;
  std::vector<Registration> kept_;
};

/// Created at its first use with the operators of all areas (registered in
/// subject/reference_subject.cpp), and destroyed at reset. Thread-safe.
Dispatcher& dispatcher_of(Runtime& runtime);

}  // namespace assay::reference
