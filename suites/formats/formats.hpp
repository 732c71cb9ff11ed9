// Conversions between float32 and the 16-bit types as the clauses give them, in integer arithmetic:
// what the cases expect. Checked against MPFR's digests by a unit test.
#pragma once

#include <cstdint>

#include "harness/protocol/dtype.hpp"

namespace assay::suites {

/// CAST-901; a NaN becomes the canonical one.
std::uint16_t half_of(std::uint32_t float_bits);
/// CAST-903; a NaN becomes the canonical one.
std::uint16_t bfloat16_of(std::uint32_t float_bits);
/// CAST-904; a NaN keeps sign and payload and becomes quiet.
std::uint32_t float_of_half(std::uint16_t bits);
/// CAST-904: a shift, also for NaNs.
std::uint32_t float_of_bfloat16(std::uint16_t bits);
/// Rounds to nearest even; a NaN becomes the canonical one.
std::uint32_t float_of_double(std::uint64_t bits);

/// From one floating type to another by way of float32 (CAST-908), NaNs canonical.
std::uint64_t converted_bits(Dtype from, Dtype to, std::uint64_t bits);

bool is_nan_bits(Dtype dtype, std::uint64_t bits);

}  // namespace assay::suites
