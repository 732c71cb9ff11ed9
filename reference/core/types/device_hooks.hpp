// Hooks by which areas beside core order the work of devices and allocate their memory.
#pragma once

#include <functional>
#include <memory>

#include "reference/core/math/launch.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/storage_memory.hpp"

namespace assay::reference {

/// Null where nobody does: work runs at once, and storages are nothing but bytes. Set before
/// anything else after the runtime was made or reset; read by any thread.
struct DeviceHooks {
  std::unique_ptr<LaunchQueue> queue;
  /// Does the calling thread's current stream capture?
  std::function<bool()> is_capturing;
  std::unique_ptr<TensorMemory> memory;
};

inline DeviceHooks& device_hooks(Runtime& runtime) { return runtime.shared<DeviceHooks>(); }

/// Does what the calling thread puts into its current stream become a graph?
inline bool is_captured(Runtime& runtime) {
  const auto& is_capturing = device_hooks(runtime).is_capturing;
  return is_capturing && is_capturing();
}

}  // namespace assay::reference
