// Moves a module to another device, dtype or memory format.
#pragma once

#include <optional>

#include "reference/core/tensor/copy.hpp"
#include "reference/module/apply_tensors.hpp"

namespace assay::reference {

struct MoveOptions {
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool copy = false;  ///< rejected: modules do not support it
  bool non_blocking = false;
  std::optional<MemoryFormat> format = {};  ///< for 4-dim and 5-dim tensors
};

/// Converts floating and complex tensors to the dtype and moves all tensors to the device
/// (MOVE-02). Raises `type` if the dtype is neither floating nor complex.
void move_to(Runtime& runtime, Module& module, const MoveOptions& options);

/// Converts the floating tensors and no others (MOVE-03).
void cast_floating(Runtime& runtime, Module& module, ScalarType dtype);

/// Converts all tensors, including integral ones (MOVE-03).
void cast_all(Runtime& runtime, Module& module, ScalarType dtype);

/// Replaces tensors by uninitialized ones of the same geometry and dtype (MOVE-12).
void to_empty(Runtime& runtime, Module& module, Device device, bool recurse);

}  // namespace assay::reference
