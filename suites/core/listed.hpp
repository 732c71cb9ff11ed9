// Helpers for the values of operators on autocast's lists, which are called through the dispatcher.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "suites/core/arithmetic.hpp"

namespace assay::suites::arithmetic {

/// The result of the operator, by value.
TensorValue listed(Session& subject, const std::string& op, std::vector<Value> args);

/// A list of numbers, or of dimensions.
Value ints(const std::vector<std::int64_t>& numbers);

/// `check` for float32 and float64, and for the half types too unless the contract is 1.13 on a
/// CPU, which lacks their kernels or rounds their partial sums.
void for_each_computed_float(Session& subject, const std::function<void(Dtype)>& check);

/// CORE-22 for listed operators: at most 4 units of round-off from `wanted`, and from `magnitude`,
/// the sum of the summands' magnitudes (empty: from `wanted` only).
void expect_near(const TensorValue& got, const std::vector<double>& wanted,
                 const std::vector<double>& magnitude = {}, Where where = Where::current());

}  // namespace assay::suites::arithmetic
