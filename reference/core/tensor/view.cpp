// Creates views, which share storage and version.
#include "reference/core/tensor/view.hpp"

#include <algorithm>

namespace assay::reference {
namespace {

Tensor view(const Tensor& of, const Shape& sizes, const Shape& strides, std::int64_t offset) {
  const TensorImpl& from = *of.impl();
  auto impl = std::make_shared<TensorImpl>();
  impl->storage = from.storage;
  impl->version = from.version;  // CORE-13
  impl->view = true;
  impl->inference = from.inference;
  impl->dtype = from.dtype;
  impl->device = from.device;
  impl->sizes = sizes;
  impl->strides = strides;
  impl->offset = offset;
  impl->numel = numel_of(sizes);
  impl->contiguous = is_contiguous(sizes, strides);
  impl->dense = is_non_overlapping_and_dense(sizes, strides);
  return Tensor(std::move(impl));
}

void check_strided(const Tensor& tensor, const char* what) {
  check(tensor.defined() && !tensor.is_sparse(), [&] {
    return std::string(what) + " needs a strided tensor, got " +
           (tensor.is_sparse() ? "a sparse one" : "the undefined one");
  });
}

void check_inside(const Tensor& tensor, const Shape& sizes, const Shape& strides,
                  std::int64_t offset) {
  const std::int64_t extent = extent_of(sizes, strides);
  std::int64_t end = 0;
  check(!__builtin_add_overflow(offset, extent, &end),
        [] { return "the extent of the view: calculation overflowed 64 bits"; });
  const auto held = static_cast<std::int64_t>(tensor.impl()->storage->size_bytes() /
                                              element_size(tensor.dtype()));
  check(extent == 0 || end <= held, [&] {
    return "a view of sizes " + to_text(sizes) + ", strides " + to_text(strides) + " and offset " +
           std::to_string(offset) + " is out of bounds for a storage of " + std::to_string(held) +
           " elements";
  });
}

}  // namespace

Tensor as_strided(const Tensor& tensor, const Shape& sizes, const Shape& strides,
                  std::optional<std::int64_t> offset) {
  check_strided(tensor, "as_strided");
  check(sizes.size() == strides.size(), [&] {
    return "sizes " + to_text(sizes) + " and strides " + to_text(strides) + " must be as many";
  });
  numel_of(sizes);
  check(std::ranges::all_of(strides, [](std::int64_t stride) { return stride >= 0; }),
        [&] { return "negative strides are not supported: " + to_text(strides); });
  const std::int64_t start = offset.value_or(tensor.storage_offset());
  check(start >= 0, [&] { return "negative storage offset " + std::to_string(start); });
  check_inside(tensor, sizes, strides, start);
  return view(tensor, sizes, strides, start);
}

Tensor expand(const Tensor& tensor, const Shape& sizes) {
  check_strided(tensor, "expand");
  const auto refuse = [&] {
    return "a tensor of sizes " + to_text(tensor.sizes()) + " cannot be expanded to " +
           to_text(sizes);
  };
  check(sizes.size() >= tensor.sizes().size(), refuse);
  const std::size_t added = sizes.size() - tensor.sizes().size();
  Shape expanded = sizes;
  Shape strides(sizes.size(), 0);
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    if (dim < added) {
      check(sizes[dim] >= 0, refuse);
      // An added dimension of size 1 gets the stride that it would have in a dense tensor.
      const bool is_dense_there = sizes[dim] == 1 && tensor.dim() > 0;
      if (is_dense_there) {
        strides[dim] = expanded[dim + 1] * strides[dim + 1];
      }
      continue;
    }
    const std::int64_t old_size = tensor.sizes()[dim - added];
    const std::int64_t old_stride = tensor.strides()[dim - added];
    if (sizes[dim] == -1) expanded[dim] = old_size;
    check(expanded[dim] == old_size || (old_size == 1 && expanded[dim] >= 0), refuse);
    if (expanded[dim] == old_size) strides[dim] = old_stride;
  }
  return view(tensor, expanded, strides, tensor.storage_offset());
}

Tensor detach(const Tensor& tensor) {
  check_strided(tensor, "detach");
  Tensor detached = view(tensor, tensor.sizes(), tensor.strides(), tensor.storage_offset());
  detached.impl()->view = false;
  return detached;
}

Tensor view_as(const Tensor& tensor, const Shape& sizes) {
  check_strided(tensor, "view");
  check(tensor.is_contiguous() && numel_of(sizes) == tensor.numel(), [&] {
    return "a view of " + describe(tensor) + " in shape " + to_text(sizes) +
           " needs as many elements, contiguous";
  });
  return view(tensor, sizes, contiguous_strides(sizes), tensor.storage_offset());
}

Tensor permute(const Tensor& tensor, const Shape& order) {
  check_strided(tensor, "permute");
  Shape sizes;
  Shape strides;
  for (const std::int64_t dim : order) {
    sizes.push_back(tensor.size(dim));
    strides.push_back(tensor.strides()[static_cast<std::size_t>(wrap_dim(dim, tensor.dim()))]);
  }
  return view(tensor, sizes, strides, tensor.storage_offset());
}

Tensor storage_of(const Tensor& tensor) {
  check_strided(tensor, "the storage");
  const auto held = static_cast<std::int64_t>(tensor.impl()->storage->size_bytes() /
                                              element_size(tensor.dtype()));
  return view(tensor, {held}, {1}, 0);
}

}  // namespace assay::reference
