// Implements reductions over any dimensions.
#include "reference/operators/rows.hpp"

#include <algorithm>

#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/view.hpp"

namespace assay::reference {
namespace {

/// Marks the dimensions to be reduced.
std::vector<bool> marked(const Tensor& tensor, const Dims& over) {
  const auto rank = static_cast<std::size_t>(tensor.dim());
  if (over.dims.empty()) return std::vector<bool>(rank, true);
  std::vector<bool> marks(std::max<std::size_t>(rank, 1), false);
  for (const std::int64_t dim : over.dims) {
    const std::int64_t at = wrap_dim(dim, std::max<std::int64_t>(tensor.dim(), 1));
    check(!marks[static_cast<std::size_t>(at)], [&] {
      return "dim " + std::to_string(at) + " appears multiple times in the list of dims";
    });
    marks[static_cast<std::size_t>(at)] = true;
  }
  marks.resize(rank);
  return marks;
}

}  // namespace

Shape reduced_sizes(const Tensor& tensor, const Dims& over) {
  const std::vector<bool> marks = marked(tensor, over);
  Shape sizes;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) sizes.push_back(tensor.sizes()[i]);
    if (marks[i] && over.keep) sizes.push_back(1);
  }
  return sizes;
}

Tensor rows_of(Runtime& runtime, const Tensor& tensor, const Dims& over) {
  const std::vector<bool> marks = marked(tensor, over);
  Shape order;
  std::int64_t rows = 1;
  std::int64_t length = 1;
  for (const bool is_reduced : {false, true}) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i] != is_reduced) continue;
      order.push_back(static_cast<std::int64_t>(i));
      (is_reduced ? length : rows) *= tensor.sizes()[i];
    }
  }
  const Counters before = runtime.counters();
  ToOptions options;
  options.format = MemoryFormat::kContiguous;
  const Tensor permuted = permute(tensor, order);
  options.copy = !permuted.is_contiguous();
  const Tensor run = to(runtime, permuted, options);
  runtime.counters() = before;
  return view_as(run, {rows, length});
}

Shape broadcastable_sizes(const Shape& sizes, const std::vector<std::int64_t>& dims) {
  Shape result = sizes;
  if (dims.empty()) return Shape(sizes.size(), 1);
  for (const std::int64_t dim : dims) {
    if (sizes.empty()) break;
    result[static_cast<std::size_t>(wrap_dim(dim, static_cast<std::int64_t>(sizes.size())))] = 1;
  }
  return result;
}

Tensor as_dtype(Runtime& runtime, const Tensor& tensor, ScalarType dtype) {
  const Counters before = runtime.counters();
  ToOptions options;
  options.dtype = dtype;
  Tensor converted = to(runtime, tensor, options);
  runtime.counters() = before;
  return converted;
}

}  // namespace assay::reference
