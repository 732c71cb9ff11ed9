// Operators that the backward pass uses.
#include "reference/autograd/steps.hpp"

#include <unordered_map>
#include <unordered_set>

#include "reference/autograd/closure_node.hpp"
#include "reference/core/math/elementwise.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/math/reduce.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

/// True if it has an element at two indices.
bool repeats_an_element(const Tensor& part) {
  std::unordered_set<std::int64_t> seen;
  for (std::int64_t i = 0; i < part.numel(); ++i) {
    if (!seen.insert(part.offset_of(i)).second) return true;
  }
  return false;
}

/// Returns `grad` in the place of `part` and zeros elsewhere; places are storage offsets. Only what
/// repeats elements is added, because a sum does not keep the sign of a zero.
Tensor scattered(Runtime& runtime, const Tensor& grad, const Tensor& whole, const Tensor& part) {
  const Tensor sums = zeros(runtime, whole.sizes(), grad.dtype(), grad.device());
  if (grad.data() == nullptr) return sums;
  std::unordered_map<std::int64_t, std::int64_t> places;
  for (std::int64_t i = 0; i < whole.numel(); ++i) {
    places.emplace(whole.storage_offset() + whole.offset_of(i), i);
  }
  const bool adds = repeats_an_element(part);
  launch(runtime, sums.device(), "scatter_add",
         [places, adds, to = borrowed(sums), from = borrowed(grad), part = borrowed(part)] {
           for (std::int64_t i = 0; i < from.numel(); ++i) {
             const auto place = places.find(part.storage_offset() + part.offset_of(i));
             if (place == places.end()) continue;
             const double before = adds ? real_at(to, place->second) : -0.0;
             set_real_at(to, place->second, before + real_at(from, i));
           }
         });
  return sums;
}

}  // namespace

bool has_no_data(const Tensor& tensor) {
  return !tensor.is_sparse() && !tensor.is_meta() && tensor.numel() > 0 && tensor.data() == nullptr;
}

Tensor without_data(const Tensor& tensor, ScalarType dtype) {
  Tensor made = detach(tensor);
  made.impl()->dtype = dtype;
  made.impl()->storage = std::make_shared<Storage>(tensor.device(), 0, std::vector<std::uint8_t>{});
  return made;
}

Tensor narrowed_history(Runtime& runtime, const Tensor& whole, const Tensor& part) {
  if (whole.is_inference()) return part;  // CORE-14
  const Tensor from = detach(whole);
  const Tensor taken = detach(part);
  record(runtime, "as_strided", {whole}, part, [from, taken](Runtime& later, const Tensor& grad) {
    return Gradients{scattered(later, grad, from, taken)};
  });
  return part;
}

Tensor sum_of(Runtime& runtime, const Tensor& left, const Tensor& right) {
  const Tensor sum = add(runtime, left, right);
  record(runtime, "add", {left, right}, sum, [](Runtime&, const Tensor& grad) {
    return Gradients{grad, grad};
  });
  return sum;
}

Tensor converted(Runtime& runtime, const Tensor& tensor, const ToOptions& options) {
  const Tensor made = has_no_data(tensor)
                          ? without_data(tensor, options.dtype.value_or(tensor.dtype()))
                          : to(runtime, tensor, options);
  if (made.is_same(tensor)) return made;
  ToOptions back;
  back.dtype = tensor.dtype();
  back.device = tensor.device();
  record(runtime, "cast", {tensor}, made, [back](Runtime& later, const Tensor& grad) {
    return Gradients{converted(later, grad, back)};
  });
  return made;
}

Tensor cast_to(Runtime& runtime, const Tensor& tensor, ScalarType dtype) {
  if (tensor.dtype() == dtype) return tensor;
  ToOptions options;
  options.dtype = dtype;
  return converted(runtime, tensor, options);
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
    return Gradients{expanded(later, grad, before)};
  });
  return reduced;
}

Tensor expanded(Runtime& runtime, const Tensor& tensor, const Shape& sizes) {
  const Tensor view = expand(tensor, sizes);
  if (tensor.is_inference()) return view;  // CORE-14
  const Shape before = tensor.sizes();
  record(runtime, "expand", {tensor}, view, [before](Runtime& later, const Tensor& grad) {
    return Gradients{sum_to(later, grad, before)};
  });
  return view;
}

}  // namespace assay::reference
