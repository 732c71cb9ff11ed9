// Moving a module: to another device, dtype or memory format.
#pragma once

#include <optional>

#include "reference/core/tensor/copy.hpp"
#include "reference/module/apply_tensors.hpp"

namespace assay::reference {

struct MoveOptions {
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool copy = false;  ///< refused: only tensors know it
  bool non_blocking = false;
  std::optional<MemoryFormat> format = {};  ///< for tensors of 4 and 5 dimensions
};

/// Floating and complex tensors get the dtype, all of them the device (MOVE-02). Raises `type` for
/// a dtype that is neither.
void move_to(Runtime& runtime, Module& module, const MoveOptions& options);

/// Floating tensors only: complex and integral ones stay (MOVE-03).
void cast_floating(Runtime& runtime, Module& module, ScalarType dtype);

/// Every tensor, integral ones too (MOVE-03).
void cast_all(Runtime& runtime, Module& module, ScalarType dtype);

/// Uninitialised tensors of the same geometry and dtypes (MOVE-12).
void to_empty(Runtime& runtime, Module& module, Device device, bool recurse);

}  // namespace assay::reference
