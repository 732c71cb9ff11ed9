// Sorts and merges the dimensions of a view.
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

/// Sorts by descending stride.
void order_dimensions(const TensorBody& tensor, std::vector<Dimension>& dims) {
  for (std::size_t d = 0; d < tensor.sizes.size(); ++d) {
    const Dimension dim{tensor.sizes[d], tensor.strides[d]};
    if (dim.size == 1) continue;
    dims.insert(
        std::ranges::upper_bound(dims, dim.stride, std::ranges::greater{}, &Dimension::stride),
        dim);
  }
}

void join(std::vector<Dimension>& dims) {
  std::size_t kept = 0;
  for (const Dimension& dim : dims) {
    const bool continues = kept > 0 && dims[kept - 1].stride == dim.size * dim.stride;
    if (continues) {
      dims[kept - 1] = {dims[kept - 1].size * dim.size, dim.stride};
    } else {
      dims[kept++] = dim;
    }
  }
  dims.resize(kept);
}

}  // namespace

StridedRow strided_row(const TensorBody& tensor) {
  thread_local std::vector<Dimension> dims;  // reuses its memory
  dims.clear();
  order_dimensions(tensor, dims);
  join(dims);
  require(dims.size() <= StridedRow::kMostDims, [&] {
    return "expected at most " + std::to_string(StridedRow::kMostDims) +
           " dimensions that cannot be joined, got " + std::to_string(dims.size());
  });
  StridedRow row{tensor.data, tensor.numel, static_cast<int>(dims.size()), {}, {}};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    row.sizes[d] = dims[d].size;
    row.strides[d] = dims[d].stride;
  }
  return row;
}

}  // namespace assay::cuda
