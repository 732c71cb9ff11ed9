// The distance between two floating values as text.
#pragma once

#include <cstdint>
#include <string>

#include "harness/protocol/dtype.hpp"

namespace assay {

bool is_nan(Dtype dtype, std::uint64_t bits);

/// The text after "differs by": `3 ULP of float16`, `the sign alone`, `a NaN on one side`. Empty if
/// the bits are the same, and for types that are not floating.
std::string distance_in_words(Dtype dtype, std::uint64_t got, std::uint64_t wanted);

/// For values sent as numbers, without a type: counted in float32 if it represents both exactly,
/// else in float64.
std::string distance_in_words(double got, double wanted);

}  // namespace assay
