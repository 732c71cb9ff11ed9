// A view as kernels walk it: with as few dimensions as its strides allow.
#include "cuda_impl/amp/strided_row.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace assay::cuda {
namespace {

struct Dimension {
  std::int64_t size;
  std::int64_t stride;
};

/// Largest stride first.
std::vector<Dimension> ordered_dimensions(const Tensor& tensor) {
  std::vector<Dimension> dims;
  for (std::size_t d = 0; d < tensor.sizes().size(); ++d) {
    if (tensor.sizes()[d] != 1) dims.push_back({tensor.sizes()[d], tensor.strides()[d]});
  }
  std::ranges::stable_sort(dims, std::ranges::greater{}, &Dimension::stride);
  return dims;
}

std::vector<Dimension> joined(const std::vector<Dimension>& dims) {
  std::vector<Dimension> result;
  for (const Dimension& dim : dims) {
    const bool continues = !result.empty() && result.back().stride == dim.size * dim.stride;
    if (continues) {
      result.back() = {result.back().size * dim.size, dim.stride};
    } else {
      result.push_back(dim);
    }
  }
  return result;
}

}  // namespace

StridedRow strided_row(const Tensor& tensor) {
  const std::vector<Dimension> dims = joined(ordered_dimensions(tensor));
  require(dims.size() <= StridedRow::kMostDims, [&] {
    return "expected at most " + std::to_string(StridedRow::kMostDims) +
           " dimensions that cannot be joined, got " + std::to_string(dims.size());
  });
  StridedRow row{tensor.data(), tensor.numel(), static_cast<int>(dims.size()), {}, {}};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    row.sizes[d] = dims[d].size;
    row.strides[d] = dims[d].stride;
  }
  return row;
}

}  // namespace assay::cuda
