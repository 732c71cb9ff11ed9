// Views with other sizes and strides, concatenation and stacking.
#include "cuda_impl/operators/views.hpp"

#include <algorithm>
#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

Tensor view(const Tensor& tensor, Shape sizes, Shape strides, std::int64_t offset = 0) {
  return as_strided(tensor, std::move(sizes), std::move(strides), tensor->offset + offset);
}

/// The stride of an added leading dimension.
std::int64_t leading_stride(const Shape& sizes, const Shape& strides, std::int64_t size) {
  if (size != 1 || sizes.empty()) return 0;
  return sizes.front() * strides.front();
}

/// Replaces -1 by the remaining size.
Shape resolved(Shape sizes, std::int64_t numel) {
  std::int64_t known = 1;
  std::int64_t* open = nullptr;
  for (std::int64_t& size : sizes) {
    if (size != -1) {
      known *= size;
      continue;
    }
    require(open == nullptr, [] { return "only one dimension can be inferred"; });
    open = &size;
  }
  const bool fits = open != nullptr ? known != 0 && numel % known == 0 : known == numel;
  require(fits, [&] {
    return "shape '" + to_text(sizes) + "' is invalid for input of size " + std::to_string(numel);
  });
  if (open != nullptr) *open = numel / known;
  return sizes;
}

/// A range of dimensions that is contiguous in memory.
struct Run {
  std::int64_t count;
  std::int64_t stride;  ///< of the innermost dimension
};

std::vector<Run> runs_of(const Tensor& tensor) {
  std::vector<Run> runs;
  for (std::size_t dim = 0; dim < tensor.sizes().size(); ++dim) {
    const std::int64_t size = tensor.sizes()[dim];
    const std::int64_t stride = tensor.strides()[dim];
    if (size == 1) continue;
    if (!runs.empty() && runs.back().stride == stride * size) {
      runs.back() = {runs.back().count * size, stride};
    } else {
      runs.push_back({size, stride});
    }
  }
  return runs;
}

/// Strides of a view with other sizes; empty if it needs a copy. The tensor must have elements.
std::optional<Shape> view_strides(const Tensor& tensor, const Shape& sizes) {
  std::vector<Run> runs = runs_of(tensor);
  Shape strides(sizes.size(), 1);
  std::int64_t taken = 1;  // elements of the last run that are used
  std::int64_t stride = runs.empty() ? 1 : runs.back().stride;
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride * taken;
    if (sizes[dim] == 1) continue;
    taken *= sizes[dim];
    if (runs.empty() || runs.back().count % taken != 0) return std::nullopt;
    if (runs.back().count != taken) continue;
    runs.pop_back();
    taken = 1;
    stride = runs.empty() ? strides[dim] * sizes[dim] : runs.back().stride;
  }
  return strides;
}

}  // namespace

std::int64_t wrapped_dim(std::int64_t dim, std::int64_t dims) {
  const std::int64_t most = std::max<std::int64_t>(dims, 1);
  require(dim >= -most && dim < most, ErrorKind::kIndex, [&] {
    return "Dimension out of range (expected to be in range of [" + std::to_string(-most) + ", " +
           std::to_string(most - 1) + "], but got " + std::to_string(dim) + ")";
  });
  return dim < 0 ? dim + most : dim;
}

Tensor expand(const Tensor& tensor, const Shape& sizes) {
  require(sizes.size() >= tensor.sizes().size(), [&] {
    return "the number of sizes provided (" + std::to_string(sizes.size()) +
           ") must be greater or equal to the number of dimensions in the tensor (" +
           std::to_string(tensor.dim()) + ")";
  });
  Shape of_result(tensor.sizes());
  Shape strides(tensor.strides());
  const std::size_t lead = sizes.size() - tensor.sizes().size();
  for (std::size_t i = 0; i < of_result.size(); ++i) {
    const std::int64_t size = sizes[lead + i];
    if (size == -1 || size == of_result[i]) continue;
    require(of_result[i] == 1, [&] {
      return "The expanded size of the tensor (" + std::to_string(size) +
             ") must match the existing size (" + std::to_string(of_result[i]) +
             ") at non-singleton dimension " + std::to_string(lead + i) +
             ".  Target sizes: " + to_text(sizes) + ".  Tensor sizes: " + to_text(tensor.sizes());
    });
    of_result[i] = size;
    strides[i] = 0;
  }
  for (std::size_t i = lead; i-- > 0;) {
    require(sizes[i] >= 0, [&] {
      return "The expanded size of the tensor (" + std::to_string(sizes[i]) +
             ") isn't allowed in a leading, non-existing dimension " + std::to_string(i);
    });
    strides.insert(strides.begin(), leading_stride(of_result, strides, sizes[i]));
    of_result.insert(of_result.begin(), sizes[i]);
  }
  return view(tensor, std::move(of_result), std::move(strides));
}

Tensor reshape(const Tensor& tensor, const Shape& sizes) {
  Shape of_result = resolved(sizes, tensor.numel());
  if (tensor.is_contiguous()) {
    Shape strides = contiguous_strides(of_result);
    return view(tensor, std::move(of_result), std::move(strides));
  }
  if (auto strides = view_strides(tensor, of_result)) {
    return view(tensor, std::move(of_result), std::move(*strides));
  }
  return reshape(contiguous(tensor), of_result);
}

Tensor transpose(const Tensor& tensor, std::int64_t a, std::int64_t b) {
  const auto first = static_cast<std::size_t>(wrapped_dim(a, tensor.dim()));
  const auto second = static_cast<std::size_t>(wrapped_dim(b, tensor.dim()));
  Shape sizes = tensor.sizes();
  Shape strides = tensor.strides();
  if (!sizes.empty()) {
    std::swap(sizes[first], sizes[second]);
    std::swap(strides[first], strides[second]);
  }
  return view(tensor, std::move(sizes), std::move(strides));
}

Tensor t(const Tensor& tensor) {
  require(tensor.dim() <= 2, [&] {
    return "t() expects a tensor with <= 2 dimensions, but self is " +
           std::to_string(tensor.dim()) + "D";
  });
  return tensor.dim() < 2 ? transpose(tensor, 0, 0) : transpose(tensor, 0, 1);
}

Tensor unsqueeze(const Tensor& tensor, std::int64_t dim) {
  const auto at = static_cast<std::ptrdiff_t>(wrapped_dim(dim, tensor.dim() + 1));
  Shape sizes = tensor.sizes();
  Shape strides = tensor.strides();
  const auto behind = static_cast<std::size_t>(at);
  const std::int64_t stride = behind < sizes.size() ? sizes[behind] * strides[behind] : 1;
  sizes.insert(sizes.begin() + at, 1);
  strides.insert(strides.begin() + at, stride);
  return view(tensor, std::move(sizes), std::move(strides));
}

Tensor narrow(const Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t length) {
  const auto at = static_cast<std::size_t>(wrapped_dim(dim, tensor.dim()));
  const std::int64_t size = tensor.sizes().at(at);
  require(start >= 0 && length >= 0 && start + length <= size, [&] {
    return "start (" + std::to_string(start) + ") + length (" + std::to_string(length) +
           ") exceeds dimension size (" + std::to_string(size) + ").";
  });
  Shape sizes = tensor.sizes();
  sizes[at] = length;
  return view(tensor, std::move(sizes), tensor.strides(), start * tensor.strides()[at]);
}

// Concatenation and stacking.

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
