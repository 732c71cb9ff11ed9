// Native entries: a schema and the names of its kernels, as in native_functions.yaml (DSP-422).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

struct NativeEntry {
  std::string func;  ///< a schema; its default namespace is `native`
  std::vector<std::pair<Key, std::string>> dispatch;  ///< kernel names
  bool is_structured = false;
  std::string structured_delegate;  ///< the out variant; must be registered already
  bool checks_device = true;
};

struct NativeOperator {
  std::vector<Registration> registrations;
  std::vector<std::string> ops;  ///< `op@key`, sorted
};

/// Its kernels check the common device and return what is written, or else the first tensor.
NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry);

}  // namespace assay::cuda::dispatch
