// Copies and conversions on one device, between tensors of any geometry.
#pragma once

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/geometry.cuh"

namespace assay::cuda {

/// Reads `left`. The geometry has one element at least.
struct CastTask {
  Dtype to = Dtype::kFloat32;
  Dtype from = Dtype::kFloat32;
  Addresses addresses;
  Geometry<3> geometry;
};

/// On the current stream, like all that is launched here.
void launch_cast(const CastTask& task);

/// Elements of one type are words, whatever they mean.
void launch_copy(const CastTask& task);
void launch_cast_to_half(const CastTask& task);  ///< from other floating types
void launch_cast_to_wide(const CastTask& task);  ///< float32 and float64 from other floating types
/// Any type to any other, at the cost of a choice for each element.
void launch_cast_any(const CastTask& task);

/// One element for all: 1, 2, 4, 8 or 16 bytes, as `to_element` makes them.
struct FillTask {
  const void* element = nullptr;  ///< of the host
  std::size_t element_bytes = 4;
  void* out = nullptr;
  Geometry<3> geometry;
};
void launch_fill(const FillTask& task);

}  // namespace assay::cuda
