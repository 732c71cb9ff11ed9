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
#include "reference/dispatch/registry/fallthrough.hpp"
#include "reference/dispatch/registry/registry.hpp"
#include "reference/dispatch/watch/observer.hpp"

namespace assay::reference {

/// An operator with the signature that it is called by (DSP-616).
struct TypedHandle {
  OperatorHandle op;
  CppSignature signature;
};

/// One for each session. Any thread may use it. It decides by rule at each call and keeps nothing:
/// what a call does depends on what is registered, on its arguments, and on the thread's keys.
class Dispatcher {
 public:
  explicit Dispatcher(Runtime& runtime);
  /// With all that is registered in `prototype`, whose contract is the same and which nobody
  /// changes meanwhile. Kernels are shared, so they know a dispatcher only by the handle that they
  /// get.
  Dispatcher(Runtime& runtime, const Dispatcher& prototype);
  /// What is left of registrations and handles does nothing any more (DSP-420).
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  Runtime& runtime() const { return runtime_; }
  const KeyLayout& layout() const { return registry_->layout(); }
  Registry& registry() { return *registry_; }
  Observers& observers() { return *observers_; }

  /// Registrations (DSP-4xx): each is undone when its handle goes.
  Registration define(std::string_view schema, const DefineOptions& options = {});
  Registration impl(std::string_view name, std::optional<DispatchKey> key, const Kernel& kernel,
                    const std::string& debug);
  Registration fallback(DispatchKey key, const Kernel& kernel, const std::string& debug);
  /// For as long as the dispatcher lives: what the runtime itself brings.
  void keep(Registration registration);
  void set_autograd_fallback(AutogradFallback mode);

  /// Any operator, with or without a schema (DSP-701).
  std::optional<OperatorHandle> find(const OperatorName& name) const;
  /// Raises `error` unless the operator has a schema.
  OperatorHandle find_or_throw(const OperatorName& name) const;
  /// The same, of `aten::mul.Tensor`.
  OperatorHandle op(std::string_view name) const;
  /// Raises `error` for a signature that the operator does not have (DSP-704).
  TypedHandle typed(const OperatorHandle& op, const CppSignature& signature) const;
  Table table_of(const OperatorHandle& op) const;

  /// DSP-604. The arguments are on top of the stack; the results take their place.
  void call_boxed(const OperatorHandle& op, Stack& stack);
  /// The same with a stack of its own.
  Stack call(const OperatorHandle& op, Stack arguments);
  /// DSP-602, DSP-606: that set as it is.
  void redispatch_boxed(const OperatorHandle& op, KeySet keys, Stack& stack);
  /// DSP-605: that key's kernel or fallback.
  void call_boxed_for_key(const OperatorHandle& op, DispatchKey key, Stack& stack);

  /// DSP-601. An argument of a by-value parameter may be moved from.
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

}  // namespace assay::reference
