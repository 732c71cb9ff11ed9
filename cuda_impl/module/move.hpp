// Moving modules to devices and types.
#pragma once

#include <optional>

#include "cuda_impl/module/apply.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {

/// Where a build without CUDA is meant, there is no device of CUDA (MOVE-11).
struct MoveContext {
  Contract contract;
  bool has_cuda = true;
};

struct MoveOptions {
  std::optional<Dtype> dtype;
  std::optional<Device> device;  ///< as given: resolved here
  bool copy = false;             ///< refused
  bool non_blocking = false;
  std::optional<MemoryFormat> format;  ///< of four and five dimensions (MOVE-12)
};

/// MOVE-02. Raises `type` for a type that is neither floating nor complex, and `error` for `copy`.
void move_to(Module& module, MoveOptions options, const MoveContext& context);
/// What is floating, and nothing else (MOVE-03).
void cast_floating(Module& module, Dtype dtype, const MoveContext& context);
/// Integers, too.
void cast_all(Module& module, Dtype dtype, const MoveContext& context);
/// Tensors of the same geometry, with any content (MOVE-12).
void to_empty(Module& module, Device device, bool recurses, const MoveContext& context);

}  // namespace assay::cuda
