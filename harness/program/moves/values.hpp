// Random arguments that several areas need.
#pragma once

#include <string>
#include <vector>

#include "harness/program/draft.hpp"

namespace assay {

/// Dtypes whose elements cross the waist, those with fractions often.
Dtype random_dtype(Random& random);
Dtype random_float_dtype(Random& random);
std::vector<std::int64_t> random_shape(Random& random);

/// One element, often a special one: zero of either sign, infinities, NaN, denormal, largest.
std::uint64_t random_element(Random& random, Dtype dtype);
TensorValue random_tensor(Random& random, Dtype dtype, std::vector<std::int64_t> shape);
/// Whole elements from -3 to 3, but 0: sums and products of few of them are exact in every type and
/// order, with their sign.
TensorValue small_tensor(Random& random, Dtype dtype, std::vector<std::int64_t> shape);

/// A float64, often a special one.
double random_real(Random& random);
/// Bool, int, float.
Value random_scalar(Random& random);

/// A reference to a tensor that the program has; makes one first if there is none.
Ref some_tensor(Draft& draft);
/// Makes one and names it.
Ref new_tensor(Draft& draft, Dtype dtype, std::vector<std::int64_t> shape, bool leaf);

}  // namespace assay
