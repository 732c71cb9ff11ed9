// Coalesces sparse tensors.
#include "reference/core/math/coalesce.hpp"

#include <map>
#include <vector>

#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {

namespace {

/// SCL-207: a CPU rounds to the values' type after each addition, CUDA once, from float32.
double rounded(const Tensor& values, double sum) {
  const auto single = static_cast<double>(static_cast<float>(sum));
  if (!values.device().is_cpu()) return single;
  return real_of_bits(values.dtype(), bits_of_real(values.dtype(), single));
}

}  // namespace

Tensor coalesce(Runtime& runtime, const Tensor& sparse) {
  if (sparse.is_coalesced()) return sparse;
  const Tensor& indices = sparse.indices();
  const Tensor& values = sparse.values();
  const std::int64_t entries = indices.size(1);
  // The size of the result depends on the indices of several entries.
  if (entries > 1) wait_for_stream(runtime, values.device());
  const std::int64_t row = entries == 0 ? 0 : values.numel() / entries;
  std::map<std::vector<std::int64_t>, std::vector<double>> sums;
  for (std::int64_t i = 0; i < entries; ++i) {
    std::vector<std::int64_t> index;
    for (std::int64_t dim = 0; dim < indices.size(0); ++dim) {
      index.push_back(integer_at(indices, dim * entries + i));
    }
    std::vector<double>& sum = sums[index];
    // CUDA adds to 0; a CPU adds to the first entry, which may be -0, and one entry alone is
    // copied.
    const bool adds_to_zero = !values.device().is_cpu() && entries > 1;
    sum.resize(static_cast<std::size_t>(row), adds_to_zero ? 0.0 : -0.0);
    for (std::int64_t k = 0; k < row; ++k) {
      double& at = sum[static_cast<std::size_t>(k)];
      at = rounded(values, at + real_at(values, i * row + k));
    }
  }
  const auto count = static_cast<std::int64_t>(sums.size());
  Shape shape = values.sizes();
  shape[0] = count;
  const Tensor new_indices =
      empty(runtime, {indices.size(0), count}, ScalarType::kLong, indices.device());
  const Tensor new_values = empty(runtime, shape, values.dtype(), values.device());
  std::int64_t at = 0;
  for (const auto& [index, sum] : sums) {
    for (std::size_t dim = 0; dim < index.size(); ++dim) {
      set_integer_at(new_indices, static_cast<std::int64_t>(dim) * count + at, index[dim]);
    }
    for (std::size_t k = 0; k < sum.size(); ++k) {
      set_real_at(new_values, at * row + static_cast<std::int64_t>(k), sum[k]);
    }
    ++at;
  }
  return sparse_coo(new_indices, new_values, sparse.sizes(), true);
}

}  // namespace assay::reference
