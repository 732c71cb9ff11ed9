// Copies and type conversions between tensors of any geometry on one device.
#pragma once

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/geometry.cuh"

namespace assay::cuda {

/// Converts `left` to `out`. The geometry has at least one element.
struct CastTask {
  Dtype to = Dtype::kFloat32;
  Dtype from = Dtype::kFloat32;
  Addresses addresses;
  Geometry<3> geometry;
};

/// Chooses the kernel. Like every launch here, it goes to the current stream.
void launch_cast(const CastTask& task);

/// Copies elements without looking at their values, so it serves every type.
void launch_copy(const CastTask& task);
void launch_cast_to_half(const CastTask& task);  ///< from other floating types
void launch_cast_to_wide(const CastTask& task);  ///< to float32, float64 from other floating types
/// Converts any type to any other; slower, because it branches on the types for each element.
void launch_cast_any(const CastTask& task);

/// Fills `out` with one element of 1, 2, 4, 8 or 16 bytes, as `to_element` returns it.
struct FillTask {
  const void* element = nullptr;  ///< host memory
  std::size_t element_bytes = 4;
  void* out = nullptr;
  Geometry<3> geometry;
};
void launch_fill(const FillTask& task);

}  // namespace assay::cuda
