// A scalar value: how it is stored, and its conversion to element types.
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

/// CORE-06: holds one of four kinds. The default is the integer 0.
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
  /// Returns the nearest double; for a complex number, of its real part.
  double real() const;

 private:
  Stored stored_;
};

/// Returns `bool`, `int`, `float` or `complex`.
std::string_view kind_of(const Scalar& scalar);
/// Compares across kinds, but a bool equals only bools and NaN equals nothing.
bool equal(const Scalar& a, const Scalar& b);
/// Raises `error` for a bool.
Scalar negated(const Scalar& scalar);

/// The bytes of one element; only the first ones, as many as the type's size, are used.
using Element = std::array<std::byte, 16>;

/// CORE-07. Raises `error` if the value is out of range. NaNs become CUDA's canonical NaN. The
/// dtype must satisfy `has_kernels` or be complex.
Element to_element(const Scalar& scalar, Dtype dtype, const Contract& contract);
/// Like `to_element` without the range check: out-of-range values become infinite or wrap.
Element to_element_unchecked(const Scalar& scalar, Dtype dtype);
/// Returns the element in the widest type of its kind.
Scalar from_element(const std::byte* element, Dtype dtype);

}  // namespace assay::cuda
