// Random arguments used by several areas.
#pragma once

#include <vector>

#include "harness/program/moves.hpp"

namespace assay {

/// Dtypes with values in the protocol; floating types are more frequent.
Dtype random_dtype(Random& random);
Dtype random_float_dtype(Random& random);
std::vector<std::int64_t> random_shape(Random& random);

/// One element, often a special one: a zero of either sign, an infinity, NaN, subnormal, largest.
std::uint64_t random_element(Random& random, Dtype dtype);
TensorValue random_tensor(Random& random, Dtype dtype, std::vector<std::int64_t> shape);
/// Integers from -3 to 3 without 0: sums and products of a few of them are exact in every type and
/// order, including the sign.
TensorValue small_tensor(Random& random, Dtype dtype, std::vector<std::int64_t> shape);

/// A float64, often a special value.
double random_real(Random& random);
/// A bool, int or float.
Value random_scalar(Random& random);

/// A reference to an existing tensor; makes one if there is none.
Ref some_tensor(Draft& draft);
/// Makes and names a tensor.
Ref new_tensor(Draft& draft, Dtype dtype, std::vector<std::int64_t> shape, bool leaf);

}  // namespace assay
