// Operators from native entries: a schema text and the names of the kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

struct NativeEntry {
  std::string func;  ///< the schema; its default namespace is `native`
  /// Keys with kernel names. If empty, there is one composite kernel, unless there is a delegate.
  std::vector<std::pair<DispatchKey, std::string>> dispatch = {};
  bool structured = false;          ///< an out variant with its own shape rule and kernel
  std::string structured_delegate;  ///< the out variant that provides both: `sub.out`
  bool device_check = true;
};

struct NativeOperator {
  std::vector<Registration> registrations;
  std::vector<std::string> ops;  ///< `op@key`, sorted
};

/// DSP-422. A delegate must already be registered. The kernels
/// check the common device (unless disabled), make it current,
/// and return the written arguments, or else the first tensor.
NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry);

}  // namespace assay::reference
