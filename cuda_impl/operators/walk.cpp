// Merges dimensions, because fewer dimensions are faster to walk.
#include "cuda_impl/operators/walk.hpp"

#include <algorithm>
#include <array>

namespace assay::cuda {
namespace {

struct Dim {
  std::int64_t size;
  std::array<std::int64_t, 3> strides;
};

/// Drops dimensions of size 1. An unused input takes the output's strides.
std::vector<Dim> dims_of(const Shape& sizes, const WalkedStrides& strides) {
  std::vector<Dim> dims;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    const std::int64_t out = (*strides.out)[i];
    dims.push_back({sizes[i],
                    {out, strides.left ? (*strides.left)[i] : out,
                     strides.right ? (*strides.right)[i] : out}});
  }
  return dims;
}

bool walks_on(const Dim& outer, const Dim& inner) {
  for (std::size_t i = 0; i < outer.strides.size(); ++i) {
    if (outer.strides[i] != inner.strides[i] * inner.size) return false;
  }
  return true;
}

std::vector<Dim> merged(const std::vector<Dim>& dims) {
  std::vector<Dim> result;
  for (const Dim& dim : dims) {
    if (!result.empty() && walks_on(result.back(), dim)) {
      result.back() = {result.back().size * dim.size, dim.strides};
    } else {
      result.push_back(dim);
    }
  }
  return result;
}

}  // namespace

Geometry<3> walk_of(const Shape& sizes, const WalkedStrides& strides) {
  std::vector<Dim> dims = dims_of(sizes, strides);
  std::stable_sort(dims.begin(), dims.end(),
                   [](const Dim& a, const Dim& b) { return a.strides > b.strides; });
  dims = merged(dims);
  require(dims.size() <= kMostDims, [&] {
    return "tensors of at most " + std::to_string(kMostDims) + " dimensions are walked, not of " +
           std::to_string(dims.size());
  });
  Geometry<3> geometry;
  geometry.dims = static_cast<int>(dims.size());
  for (std::size_t dim = 0; dim < dims.size(); ++dim) {
    geometry.count *= dims[dim].size;
    geometry.sizes[dim] = dims[dim].size;
    for (std::size_t i = 0; i < 3; ++i) geometry.strides[i][dim] = dims[dim].strides[i];
  }
  return geometry;
}

Geometry<3> walk_of(const Tensor& out, const Tensor* left, const Tensor* right) {
  const auto strides_of = [&](const Tensor* tensor) {
    return tensor ? broadcast_strides(tensor->sizes(), tensor->strides(), out.sizes()) : Shape();
  };
  const Shape left_strides = strides_of(left);
  const Shape right_strides = strides_of(right);
  return walk_of(out.sizes(), {&out.strides(), left ? &left_strides : nullptr,
                               right ? &right_strides : nullptr});
}

}  // namespace assay::cuda
