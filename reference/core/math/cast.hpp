// Conversions of whole tensors, element by element.
#pragma once

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/convert.hpp"

namespace assay::reference {

/// One element. Floating types meet in float32 (CAST-908); floating to integral truncates; anything
/// but 0 is true.
std::uint64_t convert_bits(ScalarType from, ScalarType to, std::uint64_t bits,
                           const Conversion& how);

/// Writes each element of `src` to its place in `dst`. Both have the same sizes and have data, and
/// do not overlap. Bumps no version.
void convert_elements(const Tensor& dst, const Tensor& src, const Conversion& how);

}  // namespace assay::reference
