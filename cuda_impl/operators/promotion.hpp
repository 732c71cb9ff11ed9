// Type promotion of dtypes and operands; an operand is a tensor or a number.
#pragma once

#include <span>
#include <utility>
#include <variant>

#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

class Operand {
 public:
  Operand(Tensor tensor) : value_(std::move(tensor)) {}
  Operand(Scalar scalar) : value_(scalar) {}
  Operand(double value) : value_(Scalar(value)) {}

  bool is_tensor() const { return std::holds_alternative<Tensor>(value_); }
  const Tensor& tensor() const { return std::get<Tensor>(value_); }
  const Scalar& scalar() const { return std::get<Scalar>(value_); }

 private:
  std::variant<Tensor, Scalar> value_;
};

/// The dtype of a complex number's parts; other dtypes are returned unchanged.
Dtype part_of(Dtype dtype);

/// CORE-03. Raises `error`, naming both, if two dtypes have no common one.
Dtype promote_types(Dtype a, Dtype b);

/// CORE-04: returns whether a result of `from` may be stored in a tensor of `to`.
bool can_cast(Dtype from, Dtype to);

/// CORE-05. `scalar_default`: the dtype of floating-point numbers among the operands.
Dtype result_type(std::span<const Operand> operands, Dtype scalar_default = Dtype::kFloat32);

}  // namespace assay::cuda
