// Moves modules to devices and dtypes.
#pragma once

#include <optional>

#include "cuda_impl/module/apply.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {

/// Without CUDA in the build, there is no CUDA device (MOVE-11).
struct MoveContext {
  Contract contract;
  bool has_cuda = true;
};

struct MoveOptions {
  std::optional<Dtype> dtype;
  std::optional<Device> device;  ///< unresolved
  bool copy = false;             ///< rejected
  bool non_blocking = false;
  std::optional<MemoryFormat> format;  ///< for 4-dim and 5-dim tensors (MOVE-12)
};

/// MOVE-02. Raises `type` for a dtype that is neither floating nor complex, and `error` for `copy`.
void move_to(Module& module, MoveOptions options, const MoveContext& context);
/// Converts floating tensors only (MOVE-03).
void cast_floating(Module& module, Dtype dtype, const MoveContext& context);
/// Also converts integers.
void cast_all(Module& module, Dtype dtype, const MoveContext& context);
/// Replaces tensors by new ones of the same geometry with unspecified content (MOVE-12).
void to_empty(Module& module, Device device, bool recurses, const MoveContext& context);

}  // namespace assay::cuda
