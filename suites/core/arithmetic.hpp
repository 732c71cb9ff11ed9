// Helpers for cases of arithmetic: numbers that are exact in every dtype, and bounds on sums.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites::arithmetic {

TensorValue matrix(Dtype dtype, const Shape& shape, const std::vector<double>& values);
/// Calls `check` for each floating dtype with values in the protocol.
void for_each_float(const std::function<void(Dtype)>& check);
/// Irregular multiples of 1/64 from -2 to 2, which are exact in every dtype.
std::vector<double> numbers(std::size_t count, std::uint64_t seed);

/// The unit round-off of the dtype, and its smallest denormal.
double round_off_of(Dtype dtype);
double smallest_of(Dtype dtype);

/// The exact value of a sum of `terms` products, and the sum of their magnitudes.
struct Sum {
  double exact = 0;
  double magnitude = 0;
  double terms = 0;
  bool in_own_type = false;  ///< partial sums are rounded to the result's dtype
  void add(double product) {
    exact += product;
    magnitude += std::fabs(product);
    ++terms;
  }
};

void expect_sums(Session& subject, const TensorValue& got, const std::vector<Sum>& sums,
                 Where where = Where::current());

}  // namespace assay::suites::arithmetic
