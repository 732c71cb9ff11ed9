// A number without a tensor: what it is stored as, and what becomes of it in an element type.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// CORE-06: one of four kinds; 0 as an integer when made of nothing.
class Scalar {
 public:
  using Stored = std::variant<std::int64_t, bool, double, std::complex<double>>;

  Scalar() = default;
  Scalar(bool value) : stored_(value) {}
  Scalar(int value) : stored_(static_cast<std::int64_t>(value)) {}
  Scalar(std::int64_t value) : stored_(value) {}
  Scalar(double value) : stored_(value) {}
  Scalar(std::complex<double> value) : stored_(value) {}

  const Stored& stored() const { return stored_; }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(stored_);
  }
  template <typename T>
  const T& as() const {
    return std::get<T>(stored_);
  }
  /// The nearest double; the real part of a complex number.
  double real() const;

 private:
  Stored stored_;
};

/// `bool`, `int`, `float`, `complex`
std::string_view kind_of(const Scalar& scalar);
/// Across the kinds, but a bool equals bools only, and NaN nothing.
bool equal(const Scalar& a, const Scalar& b);
/// Raises `error` for a bool.
Scalar negated(const Scalar& scalar);

/// The bytes of one element; as many as its type has count.
using Element = std::array<std::byte, 16>;

/// CORE-07. Raises `error` for what the type cannot hold. NaNs become CUDA's own. The type is one
/// that `has_kernels`, or a complex one.
Element to_element(const Scalar& scalar, Dtype dtype, const Contract& contract);
/// The same without a test of the range: too large a number becomes infinite, or wraps.
Element to_element_unchecked(const Scalar& scalar, Dtype dtype);
/// The element as the widest of its kind.
Scalar from_element(const std::byte* element, Dtype dtype);

}  // namespace assay::cuda
