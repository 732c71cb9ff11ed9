// Checks shapes and reduces all products to batched matrix multiplication.
#include "cuda_impl/operators/linear.hpp"

#include <array>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

std::int64_t size_at(const Tensor& tensor, std::size_t dim) { return tensor.sizes().at(dim); }

std::string shape_of(const Tensor& tensor) { return to_text(tensor.sizes()); }

void require_dims(const Tensor& tensor, std::int64_t dims, std::string_view name) {
  require(tensor.defined() && tensor.dim() == dims, [&] {
    return std::string(name) + " must be a " + std::to_string(dims) + "D tensor, but got " +
           describe(tensor);
  });
}

/// Integers have products on a CPU alone; on meta, which computes none, any dtype has.
bool has_products(Dtype dtype, Device device) {
  if (device.is_meta()) return true;
  if (facts(dtype).is_integral) return device.is_cpu();
  return facts(dtype).is_floating && has_kernels(dtype);
}

/// Requires one device, and one dtype with products there.
void require_alike(std::span<const Tensor> tensors, std::string_view name) {
  const Device device = common_device(tensors);
  const Dtype dtype = tensors.front().dtype();
  for (const Tensor& tensor : tensors) {
    require(!tensor.defined() || tensor.dtype() == dtype, [&] {
      return std::string(name) + ": expected all tensors to have the same dtype, but got " +
             std::string(facts(dtype).cpp_name) + " and " +
             std::string(facts(tensor.dtype()).cpp_name);
    });
  }
  require(has_products(dtype, device), [&] {
    return "\"" + std::string(name) + "\" not implemented for '" +
           std::string(facts(dtype).cpp_name) + "'";
  });
}

/// Interprets the last two dimensions as a matrix and the one before them, if any, as a batch.
Matrices matrices_of(const Tensor& tensor) {
  const std::size_t dims = tensor.sizes().size();
  return {tensor.data(), dims > 2 ? tensor.strides()[dims - 3] : 0, tensor.strides()[dims - 2],
          tensor.strides()[dims - 1]};
}

/// The operands of a product.
struct Product {
  Tensor left;   ///< [batch,] rows, inner
  Tensor right;  ///< [batch,] inner, columns
  Tensor bias;   ///< [batch,] rows, columns; undefined for no bias
  double alpha = 1;
  double beta = 1;
};

void run(const MatmulTask& task, Device device) {
  if (!device.is_cuda()) return on_host::matmul(task);
  const DeviceScope scope(device.index);
  launch_matmul(task);
}

Tensor multiplied(const Product& product) {
  const std::size_t dims = product.left.sizes().size();
  Shape sizes = product.left.sizes();
  sizes.back() = product.right.sizes().back();
  const Tensor result = empty(sizes, product.left.dtype(), product.left.device());
  if (result.numel() == 0 || result.is_meta()) return result;
  MatmulTask task;
  task.dtype = result.dtype();
  task.batches = dims > 2 ? sizes[0] : 1;
  task.rows = sizes[dims - 2];
  task.columns = sizes[dims - 1];
  task.inner = product.left.sizes().back();
  task.left = matrices_of(product.left);
  task.right = matrices_of(product.right);
  if (product.bias.defined() && product.beta != 0) task.bias = matrices_of(product.bias);
  task.alpha = product.alpha;
  task.beta = product.beta;
  task.out = result.data();
  run(task, result.device());
  return result;
}

[[noreturn]] void refuse_product(const Tensor& left, const Tensor& right) {
  throw Error("mat1 and mat2 shapes cannot be multiplied (" + shape_of(left) + " and " +
              shape_of(right) + ")");
}

void require_matrices(const Tensor& left, const Tensor& right) {
  require_dims(left, 2, "mat1");
  require_dims(right, 2, "mat2");
  if (size_at(left, 1) != size_at(right, 0)) refuse_product(left, right);
}

void require_batches(const Tensor& left, const Tensor& right) {
  require_dims(left, 3, "batch1");
  require_dims(right, 3, "batch2");
  require(size_at(left, 0) == size_at(right, 0) && size_at(left, 2) == size_at(right, 1), [&] {
    return "batches of matrices cannot be multiplied: " + shape_of(left) + " and " +
           shape_of(right);
  });
}

Tensor as_row(const Tensor& vector) { return unsqueeze(vector, 0); }
Tensor as_column(const Tensor& vector) { return unsqueeze(vector, 1); }

/// Merges all but the last `kept` dimensions into one batch dimension.
Tensor with_one_batch(const Tensor& tensor, const Shape& batch) {
  Shape sizes = batch;
  const std::size_t dims = tensor.sizes().size();
  sizes.insert(sizes.end(), tensor.sizes().end() - 2, tensor.sizes().end());
  const Tensor wide = expand(tensor, sizes);
  return reshape(wide, {numel_of(batch), tensor.sizes()[dims - 2], tensor.sizes()[dims - 1]});
}

Shape batch_of(const Tensor& tensor) {
  return Shape(tensor.sizes().begin(), tensor.sizes().end() - 2);
}

/// At least one operand has more than two dimensions, and both have at least two.
Tensor batched_matmul(const Tensor& left, const Tensor& right) {
  const Shape batch = broadcast(batch_of(left), batch_of(right));
  const Tensor product = bmm(with_one_batch(left, batch), with_one_batch(right, batch));
  Shape sizes = batch;
  sizes.insert(sizes.end(), product.sizes().end() - 2, product.sizes().end());
  return reshape(product, sizes);
}

/// Removes the dimension that was added to treat a vector as a matrix.
Tensor without_dim(const Tensor& tensor, std::int64_t dim) {
  Shape sizes = tensor.sizes();
  sizes.erase(sizes.begin() + wrapped_dim(dim, tensor.dim()));
  return reshape(tensor, sizes);
}

}  // namespace

Tensor mm(const Tensor& left, const Tensor& right) {
  require_matrices(left, right);
  require_alike(std::array{left, right}, "mm");
  return multiplied({left, right, {}});
}

Tensor bmm(const Tensor& left, const Tensor& right) {
  require_batches(left, right);
  require_alike(std::array{left, right}, "bmm");
  return multiplied({left, right, {}});
}

Tensor baddbmm(const Tensor& bias, const Tensor& left, const Tensor& right,
               const AddmmFactors& factors) {
  require_batches(left, right);
  require_alike(std::array{left, right, bias}, "baddbmm");
  const Tensor added = expand(bias, {size_at(left, 0), size_at(left, 1), size_at(right, 2)});
  return multiplied({left, right, added, factors.alpha.real(), factors.beta.real()});
}

Tensor mv(const Tensor& matrix, const Tensor& vector) {
  require_dims(matrix, 2, "input");
  require_dims(vector, 1, "vec");
  require(size_at(matrix, 1) == size_at(vector, 0), [&] {
    return "size mismatch, got input (" + shape_of(matrix) + "), vec (" + shape_of(vector) + ")";
  });
  require_alike(std::array{matrix, vector}, "mv");
  return reshape(multiplied({matrix, as_column(vector), {}}), {size_at(matrix, 0)});
}

Tensor dot(const Tensor& left, const Tensor& right) {
  require_dims(left, 1, "self");
  require_dims(right, 1, "tensor");
  require_alike(std::array{left, right}, "dot");
  require(size_at(left, 0) == size_at(right, 0), [&] {
    return "inconsistent tensor size, expected tensor " + shape_of(left) + " and src " +
           shape_of(right) + " to have the same number of elements";
  });
  return reshape(multiplied({as_row(left), as_column(right), {}}), {});
}

Tensor matmul(const Tensor& left, const Tensor& right) {
  require(left.dim() > 0 && right.dim() > 0, [&] {
    return "both arguments to matmul need to be at least 1D, but they are " +
           std::to_string(left.dim()) + "D and " + std::to_string(right.dim()) + "D";
  });
  if (left.dim() == 1 && right.dim() == 1) return dot(left, right);
  if (left.dim() == 1) return without_dim(matmul(as_row(left), right), -2);
  if (left.dim() == 2 && right.dim() == 1) return mv(left, right);
  if (right.dim() == 1) return without_dim(matmul(left, as_column(right)), -1);
  if (left.dim() == 2 && right.dim() == 2) return mm(left, right);
  return batched_matmul(left, right);
}

Tensor addmm(const Tensor& bias, const Tensor& left, const Tensor& right,
             const AddmmFactors& factors) {
  require_matrices(left, right);
  require_alike(std::array{left, right, bias}, "addmm");
  const Tensor added = expand(bias, {size_at(left, 0), size_at(right, 1)});
  return multiplied({left, right, added, factors.alpha.real(), factors.beta.real()});
}

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  require_dims(weight, 2, "weight");
  require_alike(std::array{input, weight, bias}, "linear");
  if (input.dim() < 1 || input.sizes().back() != size_at(weight, 1)) {
    refuse_product(input, t(weight));
  }
  Shape sizes = input.sizes();
  sizes.back() = size_at(weight, 0);
  const std::int64_t inner = size_at(weight, 1);
  const std::int64_t rows = numel_of(Shape(sizes.begin(), sizes.end() - 1));
  const Tensor left = reshape(input, {rows, inner});
  const Tensor added = bias.defined() ? expand(bias, {rows, size_at(weight, 0)}) : Tensor();
  return reshape(multiplied({left, t(weight), added}), sizes);
}

}  // namespace assay::cuda
