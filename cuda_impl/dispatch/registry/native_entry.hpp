// Operators by description: a schema, and the kernels that it stands for (DSP-422).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

struct NativeEntry {
  std::string func;  ///< a schema; in the namespace `native` where it names none
  std::vector<std::pair<Key, std::string>> dispatch;  ///< kernels by name
  bool is_structured = false;
  std::string structured_delegate;  ///< the out form; registered before
  bool checks_device = true;
};

struct NativeOperator {
  std::vector<Registration> registrations;
  std::vector<std::string> ops;  ///< `op@key`, sorted
};

/// Its kernels check the common device, and return what is written, or the first tensor.
NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry);

}  // namespace assay::cuda::dispatch
