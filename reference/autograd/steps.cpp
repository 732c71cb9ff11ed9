// Operators on gradients.
#include "reference/autograd/steps.hpp"

#include "reference/autograd/closure_node.hpp"
#include "reference/core/copy.hpp"
#include "reference/core/elementwise.hpp"
#include "reference/core/reduce.hpp"
#include "reference/core/view.hpp"

namespace assay::reference {

Tensor sum_of(Runtime& runtime, const Tensor& left, const Tensor& right) {
  const Tensor sum = add(runtime, left, right);
  record(runtime, "add", {left, right}, sum, [](Runtime&, const Tensor& grad) {
    return Gradients{grad, grad};
  });
  return sum;
}

Tensor cast_to(Runtime& runtime, const Tensor& tensor, ScalarType dtype) {
  if (tensor.dtype() == dtype) return tensor;
  ToOptions options;
  options.dtype = dtype;
  const Tensor cast = to(runtime, tensor, options);
  const ScalarType before = tensor.dtype();
  record(runtime, "cast", {tensor}, cast, [before](Runtime& later, const Tensor& grad) {
    return Gradients{cast_to(later, grad, before)};
  });
  return cast;
}

Tensor sum_to(Runtime& runtime, const Tensor& tensor, const Shape& sizes) {
  if (tensor.sizes() == sizes) return tensor;
  const std::size_t added = tensor.sizes().size() - sizes.size();
  Tensor reduced = tensor;
  for (std::size_t dim = tensor.sizes().size(); dim-- > 0;) {
    const bool is_new = dim < added;
    if (!is_new && sizes[dim - added] == tensor.sizes()[dim]) continue;
    reduced = sum(runtime, reduced, {.dim = static_cast<std::int64_t>(dim), .keep_dim = !is_new});
  }
  const Shape before = tensor.sizes();
  record(runtime, "sum", {tensor}, reduced, [before](Runtime& later, const Tensor& grad) {
    return Gradients{expand_to(later, grad, before)};
  });
  return reduced;
}

Tensor expand_to(Runtime& runtime, const Tensor& tensor, const Shape& sizes) {
  if (tensor.sizes() == sizes) return tensor;
  const Tensor expanded = expand(tensor, sizes);
  const Shape before = tensor.sizes();
  record(runtime, "expand", {tensor}, expanded, [before](Runtime& later, const Tensor& grad) {
    return Gradients{sum_to(later, grad, before)};
  });
  return expanded;
}

}  // namespace assay::reference
