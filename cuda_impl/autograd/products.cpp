// Derivatives of matrix products.
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"

namespace assay::cuda::autograd {
namespace {

Tensor scaled(const Tensor& gradient, const Scalar& factor) {
  return equal(factor, Scalar(1)) ? gradient : autograd::mul(gradient, factor);
}

/// Saves each operand that the gradient of the other one needs.
std::vector<Tensor> kept_of(const Tensor& left, const Tensor& right) {
  return {kept_for(right, left), kept_for(left, right)};
}

Tensor product(const Tensor& left, const Tensor& right) {
  const Products* const products = products_of_thread();
  return products == nullptr ? autograd::mm(left, right) : products->mm(left, right);
}
Tensor product_of_batches(const Tensor& left, const Tensor& right) {
  const Products* const products = products_of_thread();
  return products == nullptr ? autograd::bmm(left, right) : products->bmm(left, right);
}

/// Also called with what is no matrix, which the product refuses afterwards.
bool has_columns(const Tensor& matrix) {
  const Shape& strides = matrix.strides();
  return strides.size() == 2 && strides[0] == 1 && strides[1] == matrix.sizes()[0];
}

/// The gradient of a column-major matrix is column-major too, as in PyTorch.
template <bool kInColumns>
Tensor laid_out_product(const Tensor& left, const Tensor& right) {
  if constexpr (!kInColumns) return product(left, right);
  return transposed(product(transposed(right), transposed(left)));
}

template <bool kLeft, bool kRight>
std::vector<Tensor> of_mm(const DerivativeArguments& given) {
  const Tensor& grad = given.gradient;
  return {given.wants(0) ? laid_out_product<kLeft>(grad, transposed(given.kept(1))) : Tensor(),
          given.wants(1) ? laid_out_product<kRight>(transposed(given.kept(0)), grad) : Tensor()};
}

std::vector<Tensor> of_bmm(const DerivativeArguments& given) {
  return {
      given.wants(0) ? product_of_batches(given.gradient, transposed(given.kept(1))) : Tensor(),
      given.wants(1) ? product_of_batches(transposed(given.kept(0)), given.gradient) : Tensor()};
}

/// Uses the factors of the bias and of the product.
template <bool kLeft, bool kRight>
std::vector<Tensor> of_addmm(const DerivativeArguments& given) {
  const auto& [beta, alpha] = given.numbers;
  std::vector<Tensor> gradients(3);
  if (given.wants(0)) gradients[0] = scaled(given.gradient, beta);
  if (given.wants(1)) {
    gradients[1] =
        scaled(laid_out_product<kLeft>(given.gradient, transposed(given.kept(1))), alpha);
  }
  if (given.wants(2)) {
    gradients[2] =
        scaled(laid_out_product<kRight>(transposed(given.kept(0)), given.gradient), alpha);
  }
  return gradients;
}

/// By whether the left and the right matrix lie in columns.
constexpr Derivative kOfMm[2][2] = {{of_mm<false, false>, of_mm<false, true>},
                                    {of_mm<true, false>, of_mm<true, true>}};
constexpr Derivative kOfAddmm[2][2] = {{of_addmm<false, false>, of_addmm<false, true>},
                                       {of_addmm<true, false>, of_addmm<true, true>}};

Tensor rows_of(const Tensor& tensor) { return reshaped(tensor, {-1, tensor.sizes().back()}); }

std::vector<Tensor> of_linear(const DerivativeArguments& given) {
  const Tensor rows = rows_of(given.gradient);
  std::vector<Tensor> gradients(3);
  if (given.wants(0)) gradients[0] = reshaped(product(rows, given.kept(1)), given.sizes(0));
  if (given.wants(1)) gradients[1] = product(transposed(rows), rows_of(given.kept(0)));
  if (given.wants(2)) gradients[2] = given.gradient;
  return gradients;
}

std::vector<Tensor> of_mv(const DerivativeArguments& given) {
  const Tensor column = reshaped(given.gradient, {given.gradient.numel(), 1});
  return {given.wants(0) ? autograd::mul(column, given.kept(1)) : Tensor(),
          given.wants(1) ? autograd::mv(transposed(given.kept(0)), given.gradient) : Tensor()};
}

std::vector<Tensor> of_dot(const DerivativeArguments& given) {
  return {given.wants(0) ? autograd::mul(given.gradient, given.kept(1)) : Tensor(),
          given.wants(1) ? autograd::mul(given.gradient, given.kept(0)) : Tensor()};
}

/// Merges all but the last two dimensions, broadcast to `batch`, into one.
Tensor one_batch(const Tensor& tensor, Shape batch) {
  const Shape matrix(tensor.sizes().end() - 2, tensor.sizes().end());
  const std::int64_t count = numel_of(batch);
  batch.insert(batch.end(), matrix.begin(), matrix.end());
  return reshaped(expanded(tensor, batch), {count, matrix[0], matrix[1]});
}

/// Both have two dimensions or more.
Tensor matrices_product(const Tensor& left, const Tensor& right) {
  if (left.dim() == 2 && right.dim() == 2) return autograd::mm(left, right);
  const auto batch_of = [](const Tensor& tensor) {
    return Shape(tensor.sizes().begin(), tensor.sizes().end() - 2);
  };
  Shape sizes = broadcast(batch_of(left), batch_of(right));
  const Tensor made = autograd::bmm(one_batch(left, sizes), one_batch(right, sizes));
  sizes.insert(sizes.end(), made.sizes().end() - 2, made.sizes().end());
  return reshaped(made, sizes);
}

}  // namespace

const Products*& products_of_thread() {
  thread_local constinit const Products* products = nullptr;
  return products;
}

Tensor mm(const Tensor& left, const Tensor& right) {
  return with_history(assay::cuda::mm(left, right), {left, right},
                      {.kind = "mm",
                       .derivative = kOfMm[has_columns(left)][has_columns(right)],
                       .kept = kept_of(left, right)});
}

Tensor bmm(const Tensor& left, const Tensor& right) {
  return with_history(assay::cuda::bmm(left, right), {left, right},
                      {.kind = "bmm", .derivative = of_bmm, .kept = kept_of(left, right)});
}

Tensor mv(const Tensor& matrix, const Tensor& vector) {
  return with_history(assay::cuda::mv(matrix, vector), {matrix, vector},
                      {.kind = "mv", .derivative = of_mv, .kept = kept_of(matrix, vector)});
}

Tensor dot(const Tensor& left, const Tensor& right) {
  return with_history(assay::cuda::dot(left, right), {left, right},
                      {.kind = "dot", .derivative = of_dot, .kept = kept_of(left, right)});
}

Tensor matmul(const Tensor& left, const Tensor& right) {
  if (left.dim() == 1 && right.dim() == 1) return autograd::dot(left, right);
  if (left.dim() == 2 && right.dim() == 1) return autograd::mv(left, right);
  if (left.dim() == 2 && right.dim() == 2) return autograd::mm(left, right);
  if (!is_recorded({left, right}) || left.dim() == 0 || right.dim() == 0) {
    return assay::cuda::matmul(left, right);
  }
  const Tensor rows = left.dim() == 1 ? reshaped(left, {1, left.numel()}) : left;
  const Tensor columns = right.dim() == 1 ? reshaped(right, {right.numel(), 1}) : right;
  const Tensor whole = matrices_product(rows, columns);
  Shape sizes = whole.sizes();
  if (left.dim() == 1) sizes.erase(sizes.end() - 2);
  if (right.dim() == 1) sizes.pop_back();
  return reshaped(whole, sizes);
}

Tensor addmm(const Tensor& bias, const Tensor& left, const Tensor& right,
             const AddmmFactors& factors) {
  return with_history(assay::cuda::addmm(bias, left, right, factors), {bias, left, right},
                      {.kind = "addmm",
                       .derivative = kOfAddmm[has_columns(left)][has_columns(right)],
                       .kept = kept_of(left, right),
                       .numbers = {factors.beta, factors.alpha}});
}

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  if (weight.dim() == 1 && !bias.defined()) return autograd::matmul(input, weight);
  if (input.dim() == 2 && weight.dim() == 2 && !bias.defined()) {
    return autograd::mm(input, transposed(weight));
  }
  return with_history(assay::cuda::linear(input, weight, bias), {input, weight, bias},
                      {.kind = "linear", .derivative = of_linear, .kept = kept_of(input, weight)});
}

}  // namespace assay::cuda::autograd
