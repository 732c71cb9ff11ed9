// The arguments of an operator that computes only the dtype and shape of its result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::aten {

/// Access by schema position. Raises `internal` for a value of another kind and `error` for a
/// missing tensor.
class ArgumentReader {
 public:
  ArgumentReader(std::span<const Boxed> values, Release release)
      : values_(values), release_(release) {}

  Release release() const { return release_; }
  bool has(std::size_t i) const;
  const Tensor& tensor(std::size_t i) const;
  const Shape& sizes(std::size_t i) const { return tensor(i).sizes(); }
  std::vector<Tensor> tensors(std::size_t i) const;
  std::int64_t integer(std::size_t i) const;
  std::int64_t integer_or(std::size_t i, std::int64_t otherwise) const;
  bool flag(std::size_t i) const;
  Scalar number(std::size_t i) const { return values_[i].to_scalar(); }
  const std::string& text(std::size_t i) const;
  Shape integers(std::size_t i) const;
  /// A single number is repeated.
  Shape integers(std::size_t i, std::size_t count) const;

  /// The promoted dtype of the floating tensors, or of all tensors if none is floating.
  Dtype type() const;
  /// Returns the argument unless it is None.
  Dtype type_or(std::size_t i, Dtype otherwise) const;
  /// The common dtype of all floating tensors. Raises `error` if they differ (CAST-401).
  Dtype one_type() const;
  /// Also those in lists. Raises `error` if there are none.
  std::vector<Tensor> all_tensors() const;

  /// Made on the device of the first tensor, with dtype `type()`.
  Boxed made(Shape sizes) const { return made(std::move(sizes), type()); }
  Boxed made(Shape sizes, Dtype dtype) const;

 private:
  std::span<const Boxed> values_;
  Release release_;
};

/// A result without computed elements: NaN if the dtype has it, otherwise 0.
Tensor uncomputed(Shape sizes, Dtype dtype, Device device);

Dtype complex_of(Dtype dtype);

}  // namespace assay::cuda::aten
