// Numbers without a tensor: what they are kept as, and what they become (CORE-06, CORE-07).
#pragma once

#include <complex>
#include <cstdint>
#include <variant>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/dtype.hpp"

namespace assay::reference {

class Scalar {
 public:
  /// The int 0.
  Scalar() = default;
  Scalar(bool value) : value_(value) {}
  Scalar(std::int64_t value) : value_(value) {}
  Scalar(double value) : value_(value) {}
  Scalar(std::complex<double> value) : value_(value) {}

  /// Bool, Long, Double or ComplexDouble.
  ScalarType type() const;
  bool is_floating() const { return type() == ScalarType::kDouble; }
  const auto& value() const { return value_; }

  /// Numerically, across ints and floats; a bool equals only a bool, a NaN nothing.
  bool equal(const Scalar& other) const;
  /// Raises `error` for a bool.
  Scalar negated() const;

  /// The element of that dtype, towards zero. Raises `error` that names the dtype when the value is
  /// out of its range: the range is tested before any rounding (CORE-07).
  std::uint64_t bits_as(ScalarType dtype, const Contract& contract) const;
  /// The value as a double; complex numbers must be real.
  double real() const;

 private:
  std::variant<std::int64_t, bool, double, std::complex<double>> value_ = std::int64_t{0};
};

}  // namespace assay::reference
