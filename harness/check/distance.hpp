// How far two floating values are apart, in words.
#pragma once

#include <cstdint>
#include <string>

#include "harness/protocol/dtype.hpp"

namespace assay {

bool is_nan(Dtype dtype, std::uint64_t bits);

/// What goes behind "differs by": `3 ULP of float16`, `the sign alone`, `a NaN on one side`. Empty
/// where the bits are the same, and for types that are not floating.
std::string distance_in_words(Dtype dtype, std::uint64_t got, std::uint64_t wanted);

/// Of values that came as numbers, whose type is not told: counted in float32 where it holds both
/// exactly, and in float64 otherwise.
std::string distance_in_words(double got, double wanted);

}  // namespace assay
