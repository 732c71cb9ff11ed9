// Hooks that let other areas order device work and allocate device memory.
#pragma once

#include <functional>
#include <memory>

#include "reference/core/math/launch.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/storage_memory.hpp"

namespace assay::reference {

/// Null members: work runs at once, and storages have no attached memory. Set directly after the
/// runtime is created or reset; afterwards any thread may read them.
struct DeviceHooks {
  std::unique_ptr<LaunchQueue> queue;
  /// Whether the calling thread's current stream is capturing.
  std::function<bool()> is_capturing;
  std::unique_ptr<TensorMemory> memory;
};

inline DeviceHooks& device_hooks(Runtime& runtime) { return runtime.shared<DeviceHooks>(); }

/// Returns whether work that the calling thread submits to its current stream is captured.
inline bool is_captured(Runtime& runtime) {
  const auto& is_capturing = device_hooks(runtime).is_capturing;
  return is_capturing && is_capturing();
}

}  // namespace assay::reference
