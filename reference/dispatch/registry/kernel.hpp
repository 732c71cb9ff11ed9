// Kernels of operators, boxed or with a C++ signature, and adapters between typed and boxed calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/keys/key_set.hpp"
#include "reference/dispatch/schema/signature.hpp"

namespace assay::reference {

class OperatorHandle;

/// Arguments are pushed from left to right. The callee pops exactly its arguments and pushes its
/// results, the first one deepest (CORE-17).
using Stack = std::vector<IValue>;
/// One value for each parameter of a typed kernel: a copy if it is passed by value, the caller's
/// object if by reference. Valid during the call.
using TypedArguments = std::vector<IValue*>;

using BoxedFunction = std::function<void(const OperatorHandle&, KeySet, Stack&)>;
/// Returns one value for each return of the signature.
using TypedFunction = std::function<Stack(const OperatorHandle&, KeySet, const TypedArguments&)>;

enum class KernelKind : std::uint8_t {
  kBoxed,
  kTyped,
  kFallthrough,  ///< no function: its key is masked out (DSP-513)
  kNamedGuard,   ///< raises on every call (DSP-708)
};

/// Copies share the function. It lives as long as a registration, a running call (DSP-615, DSP-803)
/// or any other copy refers to it.
class Kernel {
 public:
  static Kernel boxed(BoxedFunction function);
  /// `takes_keys`: the first parameter is the key set (DSP-603).
  static Kernel typed(CppSignature signature, TypedFunction function, bool takes_keys = true);
  static Kernel fallthrough() { return Kernel(KernelKind::kFallthrough); }
  static Kernel named_guard() { return Kernel(KernelKind::kNamedGuard); }

  /// Returns a copy with a label for traces.
  Kernel labelled(std::string label) const {
    Kernel made = *this;
    made.label_ = std::move(label);
    return made;
  }
  const std::string& label() const { return label_; }
  /// Returns a copy that keeps `owner` alive.
  Kernel keeping(std::shared_ptr<const void> owner) const {
    Kernel made = *this;
    made.owner_ = std::move(owner);
    return made;
  }

  KernelKind kind() const { return kind_; }
  bool is_typed() const { return kind_ == KernelKind::kTyped; }
  bool is_fallthrough() const { return kind_ == KernelKind::kFallthrough; }
  /// Null unless the kernel is typed.
  const CppSignature* signature() const { return typed_ ? &typed_->signature : nullptr; }

  /// For boxed kernels only. The arguments are on the stack and are replaced by the results.
  void run_boxed(const OperatorHandle& op, KeySet keys, Stack& stack) const {
    (*boxed_)(op, keys, stack);
  }
  /// For typed kernels only. Raises `internal` for a wrong number of results.
  Stack run_typed(const OperatorHandle& op, KeySet keys, const TypedArguments& arguments) const;

 private:
  struct Typed {
    CppSignature signature;
    TypedFunction function;
    bool takes_keys;
  };

  explicit Kernel(KernelKind kind) : kind_(kind) {}

  KernelKind kind_;
  std::string label_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const BoxedFunction> boxed_;
  std::shared_ptr<const Typed> typed_;
};

// Adapters between typed and boxed calls: boxing, unboxing, moves and returns.

/// Raises the error of unboxing the value as this type (DSP-610). Values are never converted or
/// replaced by defaults.
void expect_fits(const CppType& type, const IValue& value);

/// A kernel that is about to run, with its call parameters.
struct KernelCall {
  const Kernel& kernel;
  const OperatorHandle& op;
  const std::string& op_name;
  KeySet keys;
};

/// Runs a typed kernel on a stack and replaces the arguments by the results. If it raises, the
/// arguments stay on the stack, but movable ones that were passed by value are None (DSP-611).
/// Raises `error` if the stack is too short (DSP-610).
void run_unboxed(const KernelCall& call, Stack& stack);

/// Calls a boxed kernel by a C++ signature. DSP-608 determines the returned values; in strict mode,
/// DSP-609 checks what the kernel pushed.
Stack run_with_boxing(const KernelCall& call, const CppSignature& signature,
                      const TypedArguments& arguments, Deviations deviations);

/// Raises `internal`, with both numbers, if they differ (DSP-609).
void expect_results(const std::string& op_name, std::size_t expected, std::size_t got);

/// Raises `error`, with both depths, if the stack is too short (DSP-610).
void expect_depth(const std::string& op_name, std::size_t expected, const Stack& stack);

}  // namespace assay::reference
