// The behaviour of kernels registered by clients, boxed or typed.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKeySet.h>

#include <memory>
#include <optional>
#include <string>

#include "harness/adapters/libtorch/ivalues.hpp"

namespace assay::libtorch {

/// Made by `dispatch.kernel`; registrations keep it alive after its name is dropped.
struct NamedKernel {
  enum class Action {
    kReturn,
    kValue,
    kRedispatch,
    kCall,
    kRaise,
    kCallback,
    kFallthrough,
    kNamedGuard,
    kNull
  };

  std::string label;
  Action does = Action::kReturn;
  std::optional<std::string> signature;  ///< nothing when boxed
  bool takes_keys = true;

  std::optional<std::int64_t> argument;     ///< kReturn: the index of the argument
  Stack values;                             ///< kValue
  std::optional<c10::DispatchKeySet> keys;  ///< kRedispatch: replaces the keys below its own
  ErrorKind kind = ErrorKind::kError;       ///< kRaise
  std::string text;                         ///< kRaise: the message; kCallback: the callback
};
using KernelPtr = std::shared_ptr<const NamedKernel>;

KernelPtr kernel_from(Call& call);

/// One execution of a kernel.
struct Run {
  const NamedKernel& kernel;
  c10::OperatorName op;
  std::optional<c10::DispatchKeySet> keys;  ///< nothing if the kernel takes no keys
  const Stack& arguments;
  std::size_t returns;  ///< the expected number of results
};

/// The result of a kernel that calls no operator.
Stack behave(const Run& run);
/// The keys for a `redispatch`. Throws NotSupported if the kernel does not know its own
/// key.
c10::DispatchKeySet onward_keys(const Run& run);
/// The keys that a `call` excludes.
c10::DispatchKeySet own_key(const Run& run);

c10::BoxedKernel boxed_function(const KernelPtr& kernel);

/// The position of a typed kernel. PyTorch does not pass the operator: `op` is empty in fallbacks.
struct TypedSite {
  KernelPtr kernel;
  std::optional<c10::OperatorName> op;

  /// The key of the command if it is unknown.
  c10::OperatorName op_name() const;
};

}  // namespace assay::libtorch
