// Concatenation and stacking.
#include <algorithm>

#include "cuda_impl/core/rules.hpp"
#include "cuda_impl/operators/converted_operand.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

Dtype common_dtype(std::span<const Tensor> tensors) {
  std::vector<Operand> operands(tensors.begin(), tensors.end());
  return result_type(operands);
}

bool is_nothing(const Tensor& tensor) { return tensor.dim() == 1 && tensor.numel() == 0; }

void require_same_but(const Shape& a, const Shape& b, std::size_t dim) {
  bool fits = a.size() == b.size();
  for (std::size_t i = 0; fits && i < a.size(); ++i) fits = i == dim || a[i] == b[i];
  require(fits, [&] {
    return "Sizes of tensors must match except in dimension " + std::to_string(dim) +
           ". Expected " + to_text(a) + " but got " + to_text(b);
  });
}

}  // namespace

Tensor cat(std::span<const Tensor> tensors, std::int64_t dim) {
  require(!tensors.empty(),
          rules().release < Release::k2_11 ? ErrorKind::kError : ErrorKind::kValue,
          [] { return "torch.cat(): expected a non-empty list of Tensors"; });
  const Device device = common_device(tensors);
  const auto shaped = std::find_if_not(tensors.begin(), tensors.end(), is_nothing);
  if (shaped == tensors.end()) return empty({0}, common_dtype(tensors), device);
  require(shaped->dim() > 0,
          [] { return "zero-dimensional tensor (at position 0) cannot be concatenated"; });
  const auto at = static_cast<std::size_t>(wrapped_dim(dim, shaped->dim()));
  Shape sizes = shaped->sizes();
  sizes[at] = 0;
  for (const Tensor& tensor : tensors) {
    if (is_nothing(tensor)) continue;
    require_same_but(shaped->sizes(), tensor.sizes(), at);
    sizes[at] += tensor.sizes()[at];
  }
  const Tensor result = empty(sizes, common_dtype(tensors), device);
  std::int64_t start = 0;
  for (const Tensor& tensor : tensors) {
    if (is_nothing(tensor)) continue;
    const std::int64_t length = tensor.sizes()[at];
    copy_elements(narrow(result, static_cast<std::int64_t>(at), start, length), tensor);
    start += length;
  }
  return result;
}

Tensor stack(std::span<const Tensor> tensors, std::int64_t dim) {
  require(!tensors.empty(), [] { return "stack expects a non-empty TensorList"; });
  const std::int64_t at = wrapped_dim(dim, tensors.front().dim() + 1);
  std::vector<Tensor> rows;
  for (const Tensor& tensor : tensors) {
    require(tensor.sizes() == tensors.front().sizes(), [&] {
      return "stack expects each tensor to be equal size, but got " +
             to_text(tensors.front().sizes()) + " at entry 0 and " + to_text(tensor.sizes());
    });
    rows.push_back(unsqueeze(tensor, at));
  }
  return cat(rows, at);
}

}  // namespace assay::cuda
