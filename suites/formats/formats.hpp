// Conversions between float32 and the 16-bit types in integer arithmetic, as defined by the
// clauses. The cases expect these results. A unit test compares them with MPFR's digests.
#pragma once

#include <cstdint>

#include "harness/protocol/dtype.hpp"

namespace assay::suites {

/// CAST-901; NaNs become canonical.
std::uint16_t half_of(std::uint32_t float_bits);
/// CAST-903; NaNs become canonical.
std::uint16_t bfloat16_of(std::uint32_t float_bits);
/// CAST-904; a NaN keeps its sign and payload and becomes quiet.
std::uint32_t float_of_half(std::uint16_t bits);
/// CAST-904: a shift, including NaNs.
std::uint32_t float_of_bfloat16(std::uint16_t bits);
/// Rounds to nearest, ties to even; NaNs become canonical.
std::uint32_t float_of_double(std::uint64_t bits);

/// Converts between floating types through float32 (CAST-908), with canonical NaNs.
std::uint64_t converted_bits(Dtype from, Dtype to, std::uint64_t bits);

bool is_nan_bits(Dtype dtype, std::uint64_t bits);

}  // namespace assay::suites
