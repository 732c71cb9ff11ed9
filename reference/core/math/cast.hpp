// Element-wise conversion of whole tensors to another dtype.
#pragma once

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/convert.hpp"

namespace assay::reference {

/// Converts one element. Floating types convert through float32 (CAST-908); floating to integral
/// truncates; every value but 0 becomes true.
std::uint64_t convert_bits(ScalarType from, ScalarType to, std::uint64_t bits,
                           const Conversion& how);

/// Writes each converted element of `src` to its position in `dst`. The tensors have equal sizes,
/// have data and do not overlap. Does not bump the version.
void convert_elements(const Tensor& dst, const Tensor& src, const Conversion& how);

}  // namespace assay::reference
