// What an operator was called with, and tensors of which no more than type and shape is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::aten {

/// Arguments by their place in the schema. What is asked for as something else than it is raises
/// `internal`, a tensor that is missing `error`.
class Given {
 public:
  Given(std::span<const Boxed> values, Release release) : values_(values), release_(release) {}

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
  /// One number stands for all.
  Shape integers(std::size_t i, std::size_t count) const;

  /// What the floating tensors are promoted to; of all tensors, where none is floating.
  Dtype type() const;
  /// The argument, where it is not None.
  Dtype type_or(std::size_t i, Dtype otherwise) const;
  /// The one type of all floating tensors. Raises `error` for two (CAST-401).
  Dtype one_type() const;

  /// On the device of the first tensor, of `type()`.
  Boxed made(Shape sizes) const { return made(std::move(sizes), type()); }
  Boxed made(Shape sizes, Dtype dtype) const;

 private:
  std::vector<Tensor> all_tensors() const;

  std::span<const Boxed> values_;
  Release release_;
};

/// A tensor that nobody computed: NaN where the type has one, else 0.
Tensor uncomputed(Shape sizes, Dtype dtype, Device device);

Dtype complex_of(Dtype dtype);

}  // namespace assay::cuda::aten
