// A number beside tensors: of four kinds, and of no width.
#pragma once

#include <complex>
#include <cstdint>
#include <variant>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// CORE-06. Of nothing it is the integer 0.
class Scalar {
 public:
  using Value = std::variant<std::int64_t, bool, double, std::complex<double>>;

  Scalar() = default;
  Scalar(bool value) : value_(value) {}
  Scalar(int value) : value_(std::int64_t{value}) {}
  Scalar(std::int64_t value) : value_(value) {}
  Scalar(double value) : value_(value) {}
  Scalar(std::complex<double> value) : value_(value) {}

  const Value& value() const { return value_; }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(value_); }
  bool is_floating() const { return std::holds_alternative<double>(value_); }
  bool is_complex() const { return std::holds_alternative<std::complex<double>>(value_); }

  /// kInt64, kBool, kFloat64 or kComplex128: what it is stored as.
  Dtype dtype() const;
  /// Nearest; without its imaginary part. Nothing is refused.
  double to_double() const;
  /// Cut toward zero, and wrapped as a conversion of C++ does it on this machine.
  std::int64_t to_int() const;
  bool to_bool() const;

  /// Numbers are equal across kinds, but a bool is never a number, and NaN equals nothing.
  bool equals(const Scalar& other) const;
  /// Raises `error` for a bool.
  Scalar negated() const;

 private:
  Value value_ = std::int64_t{0};
};

/// CORE-07: the bits of `dtype` that the number becomes, low bits first, in as many bytes as the
/// type has (16 at most). Raises `error` ("without overflow") for what is out of range.
/// `is_strict`: 2^63 is no int64; before 2.x it wrapped.
struct ScalarBits {
  std::uint64_t words[2] = {0, 0};
};
ScalarBits checked_bits(const Scalar& scalar, Dtype dtype, const Contract& contract = {});

}  // namespace assay::cuda
