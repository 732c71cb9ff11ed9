// Scalar values: stored kinds, and conversion to dtypes (CORE-06, CORE-07).
#pragma once

#include <complex>
#include <cstdint>
#include <variant>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/dtype.hpp"

namespace assay::reference {

class Scalar {
 public:
  /// The default is the int 0.
  Scalar() = default;
  Scalar(bool value) : value_(value) {}
  Scalar(std::int64_t value) : value_(value) {}
  Scalar(double value) : value_(value) {}
  Scalar(std::complex<double> value) : value_(value) {}

  /// Returns Bool, Long, Double or ComplexDouble.
  ScalarType type() const;
  bool is_floating() const { return type() == ScalarType::kDouble; }
  const auto& value() const { return value_; }

  /// Compares ints and floats numerically; a bool equals only bools, a NaN nothing.
  bool equal(const Scalar& other) const;
  /// Raises `error` for a bool.
  Scalar negated() const;

  /// Converts towards zero. Raises `error`, naming the dtype, if the value is out of range; the
  /// check precedes any rounding (CORE-07).
  std::uint64_t bits_as(ScalarType dtype, const Contract& contract) const;
  /// Converts to double. Complex numbers must be real.
  double real() const;

 private:
  std::variant<std::int64_t, bool, double, std::complex<double>> value_ = std::int64_t{0};
};

}  // namespace assay::reference
