// An operand: a tensor or a number.
#pragma once

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

}  // namespace assay::cuda
