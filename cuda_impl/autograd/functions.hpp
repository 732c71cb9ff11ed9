// Operators that record their history if an argument requires a gradient.
#pragma once

#include <span>

#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/linear.hpp"
#include "cuda_impl/operators/losses.hpp"
#include "cuda_impl/operators/reduce.hpp"

namespace assay::cuda::autograd {

// Each computes the same as the operator of that name in operators/.

Tensor add(const Operand& left, const Operand& right, const Scalar& alpha = 1);
Tensor sub(const Operand& left, const Operand& right, const Scalar& alpha = 1);
Tensor mul(const Operand& left, const Operand& right, Release release = kNewestRelease);
Tensor div(const Operand& left, const Operand& right, Release release = kNewestRelease);
Tensor neg(const Tensor& tensor);
Tensor relu(const Tensor& tensor);
Tensor where_above_zero(const Tensor& tensor, const Tensor& gate);
Tensor sum(const Tensor& tensor, const Reduced& reduced = {});
Tensor mean(const Tensor& tensor, const Reduced& reduced = {});
/// Differentiable only for order 2.
Tensor norm(const Tensor& tensor, double p = 2);
Tensor mm(const Tensor& left, const Tensor& right);
Tensor bmm(const Tensor& left, const Tensor& right);
Tensor mv(const Tensor& matrix, const Tensor& vector);
Tensor dot(const Tensor& left, const Tensor& right);
Tensor matmul(const Tensor& left, const Tensor& right);
Tensor addmm(const Tensor& bias, const Tensor& left, const Tensor& right,
             const AddmmFactors& factors = {});
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
Tensor softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype = {});
Tensor log_softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype = {});
/// Not twice differentiable, as `native_layer_norm`.
Tensor layer_norm(const Tensor& tensor, const Shape& shape, const LayerNormOptions& options = {});
LayerNormed native_layer_norm(const Tensor& tensor, const Shape& shape,
                              const LayerNormOptions& options = {});
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::kMean);
struct MseOperands {
  Tensor input, target;
};
/// The operands of mse_loss as torch.nn.functional hands them to the operator: broadcast, with a
/// warning if their sizes differ.
MseOperands mse_operands(const Tensor& input, const Tensor& target);
Tensor cat(std::span<const Tensor> tensors, std::int64_t dim = 0);
Tensor stack(std::span<const Tensor> tensors, std::int64_t dim = 0);

/// The matrix products that derivatives use.
class Products {
 public:
  virtual Tensor mm(const Tensor& left, const Tensor& right) const = 0;
  virtual Tensor bmm(const Tensor& left, const Tensor& right) const = 0;

 protected:
  ~Products() = default;
};
/// Used by derivatives on the calling thread; null selects `mm` and `bmm` above.
const Products*& products_of_thread();

}  // namespace assay::cuda::autograd
