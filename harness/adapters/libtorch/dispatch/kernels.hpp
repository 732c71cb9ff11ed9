// What the kernels that clients register do, boxed or typed.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKeySet.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/adapters/libtorch/ivalues.hpp"

namespace assay::libtorch {

/// `dispatch.kernel` makes one; what is registered keeps it alive after the name is gone.
struct NamedKernel {
  enum class Does {
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
  Does does = Does::kReturn;
  std::optional<std::string> signature;  ///< nothing when boxed
  bool takes_keys = true;

  std::optional<std::int64_t> argument;     ///< kReturn: which one
  Stack values;                             ///< kValue
  std::optional<c10::DispatchKeySet> keys;  ///< kRedispatch: instead of those below its own key
  ErrorKind kind = ErrorKind::kError;       ///< kRaise
  std::string text;                         ///< kRaise: the message; kCallback: the callback
};
using KernelPtr = std::shared_ptr<const NamedKernel>;

KernelPtr kernel_from(Call& call);

/// One run of a kernel.
struct Run {
  const NamedKernel& kernel;
  c10::OperatorName op;
  std::optional<c10::DispatchKeySet> keys;  ///< nothing when the kernel does not take them
  const Stack& arguments;
  std::size_t returns;  ///< how many values it should return
};

/// What a kernel that calls no operator returns.
Stack behave(const Run& run);
/// The keys that a `redispatch` goes on with. Throws NotSupported when the kernel does not know its
/// own.
c10::DispatchKeySet onward_keys(const Run& run);
/// The keys that a `call` excludes.
c10::DispatchKeySet own_key(const Run& run);

c10::BoxedKernel boxed_function(const KernelPtr& kernel);

/// Where a typed kernel stands. PyTorch does not tell it the operator: `op` is empty in a fallback.
struct TypedSite {
  KernelPtr kernel;
  std::optional<c10::OperatorName> op;

  /// That of the command where it is not known.
  c10::OperatorName op_name() const;
};

}  // namespace assay::libtorch
