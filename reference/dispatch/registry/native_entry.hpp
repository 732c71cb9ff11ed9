// Operators described by an entry: one text of a schema, and which kernels of which names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

struct NativeEntry {
  std::string func;  ///< the schema; without a namespace it is in `native`
  /// Keys and the name of their kernel; none: one composite kernel, unless it has a delegate.
  std::vector<std::pair<DispatchKey, std::string>> dispatch = {};
  bool structured = false;          ///< an out form that owns shape rule and kernel
  std::string structured_delegate;  ///< the out form that both are taken from: `sub.out`
  bool device_check = true;
};

struct NativeOperator {
  std::vector<Registration> registrations;
  std::vector<std::string> ops;  ///< `op@key`, sorted
};

/// DSP-422. A delegate's entry must be there. The kernels return what the schema says is written,
/// or the first tensor; before, they check the common device unless told not to, and make it
/// current.
NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry);

}  // namespace assay::reference
