// Replaces and swaps the contents of tensor bodies.
#include "cuda_impl/module/contents.hpp"

#include <string>
#include <utility>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

bool is_native(const Tensor& tensor) { return tensor.device().is_cpu() || tensor.is_cuda(); }

void require_unwatched(const Tensor& tensor) {
  require(tensor->watchers == 0, [&] {
    return "cannot swap " + describe(tensor) + ": a weak reference or a graph holds it";
  });
}

/// Swaps the part of a tensor that operators and the dispatcher use.
void swap_views(TensorBody& left, TensorBody& right) {
  std::swap(left.storage, right.storage);
  std::swap(left.dtype, right.dtype);
  std::swap(left.device, right.device);
  std::swap(left.sizes, right.sizes);
  std::swap(left.strides, right.strides);
  std::swap(left.offset, right.offset);
  std::swap(left.numel, right.numel);
  std::swap(left.data, right.data);
  std::swap(left.is_contiguous, right.is_contiguous);
  std::swap(left.is_dense, right.is_dense);
  std::swap(left.is_inference, right.is_inference);
  std::swap(left.sparse, right.sparse);
  left.keys = kUnknownKeys;
  right.keys = kUnknownKeys;
}

}  // namespace

void require_gradient_type(Dtype dtype, bool requires_grad) {
  const DtypeFacts& type = facts(dtype);
  require(!requires_grad || type.is_floating || type.is_complex, [&] {
    return "the data of a tensor that requires gradients must be floating point or complex dtype, "
           "not " +
           std::string(type.name);
  });
}

bool takes_data_of(const Tensor& tensor, const Tensor& data) {
  if (tensor.is_sparse() != data.is_sparse()) return false;
  if (is_native(tensor) && is_native(data)) return true;
  return tensor.device().kind == data.device().kind;
}

void set_data(const Tensor& tensor, const Tensor& data) {
  if (tensor.is_same(data)) return;
  require_gradient_type(data.dtype(), tensor->requires_grad);
  swap_views(*tensor.body(), *detach(data).body());
}

void swap_contents(const Tensor& left, const Tensor& right) {
  require_unwatched(left);
  require_unwatched(right);
  if (left.is_same(right)) return;
  TensorBody& a = *left.body();
  TensorBody& b = *right.body();
  swap_views(a, b);
  std::swap(a.version, b.version);
  std::swap(a.is_view, b.is_view);
  std::swap(a.requires_grad, b.requires_grad);
  std::swap(a.is_leaf, b.is_leaf);
  std::swap(a.history, b.history);
  std::swap(a.grad, b.grad);
  std::swap(a.hooks, b.hooks);
  std::swap(a.is_parameter, b.is_parameter);
}

}  // namespace assay::cuda
