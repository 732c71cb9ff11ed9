// Kernels: what an operator's call ends in, boxed or with a C++ signature.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/keys/key_set.hpp"
#include "reference/dispatch/schema/signature.hpp"

namespace assay::reference {

class OperatorHandle;

/// Arguments are pushed left to right; who is called takes exactly its arguments away and pushes
/// what it returns, the first deepest (CORE-17).
using Stack = std::vector<IValue>;
/// Of a typed kernel, one a parameter: an own value where it is taken by value, the caller's where
/// by reference. Valid as long as the call.
using TypedArguments = std::vector<IValue*>;

using BoxedFunction = std::function<void(const OperatorHandle&, KeySet, Stack&)>;
/// Returns one value for each of its signature's returns.
using TypedFunction = std::function<Stack(const OperatorHandle&, KeySet, const TypedArguments&)>;

enum class KernelKind : std::uint8_t {
  kBoxed,
  kTyped,
  kFallthrough,  ///< the kernel that is none: its key is masked out (DSP-513)
  kNamedGuard,   ///< raises, whatever it is called with (DSP-708)
};

/// Copies share the function, which lives as long as one of them: in a registration, in a call that
/// has entered it (DSP-615, DSP-803), or with whoever made it.
class Kernel {
 public:
  static Kernel boxed(BoxedFunction function);
  /// `takes_keys`: is the set of keys its first parameter? (DSP-603)
  static Kernel typed(CppSignature signature, TypedFunction function, bool takes_keys = true);
  static Kernel fallthrough() { return Kernel(KernelKind::kFallthrough); }
  static Kernel named_guard() { return Kernel(KernelKind::kNamedGuard); }

  /// The same under a name, for whoever watches it run.
  Kernel labelled(std::string label) const {
    Kernel made = *this;
    made.label_ = std::move(label);
    return made;
  }
  const std::string& label() const { return label_; }
  /// The same, whose copies keep `owner` alive.
  Kernel keeping(std::shared_ptr<const void> owner) const {
    Kernel made = *this;
    made.owner_ = std::move(owner);
    return made;
  }

  KernelKind kind() const { return kind_; }
  bool is_typed() const { return kind_ == KernelKind::kTyped; }
  bool is_fallthrough() const { return kind_ == KernelKind::kFallthrough; }
  /// Null unless typed.
  const CppSignature* signature() const { return typed_ ? &typed_->signature : nullptr; }

  /// With arguments that have been boxed already; leaves the results. Only of a boxed kernel.
  void run_boxed(const OperatorHandle& op, KeySet keys, Stack& stack) const {
    (*boxed_)(op, keys, stack);
  }
  /// Only of a typed kernel. Raises `internal` for a wrong number of results.
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

}  // namespace assay::reference
