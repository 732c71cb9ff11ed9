// Implements SGD for sparse gradients.
#include "reference/optim/sparse_step.hpp"

#include <algorithm>
#include <vector>

#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/optim/elements.hpp"

namespace assay::reference {
namespace {

using Index = std::vector<std::int64_t>;

/// An entry: its index and its elements.
struct Entry {
  Index index;
  std::vector<double> values;
};

std::vector<Entry> entries_of(Runtime& runtime, const Tensor& sparse) {
  const Tensor& indices = sparse.indices();
  const Tensor& values = sparse.values();
  wait_for_stream(runtime, values.device());
  std::vector<Entry> entries(static_cast<std::size_t>(indices.size(1)));
  const std::int64_t count = indices.size(1);
  const std::int64_t row = count == 0 ? 0 : values.numel() / count;
  for (std::int64_t i = 0; i < count; ++i) {
    Entry& entry = entries[static_cast<std::size_t>(i)];
    for (std::int64_t dim = 0; dim < indices.size(0); ++dim) {
      entry.index.push_back(integer_at(indices, dim * count + i));
    }
    for (std::int64_t k = 0; k < row; ++k) entry.values.push_back(real_at(values, i * row + k));
  }
  return entries;
}

/// Returns a tensor like `like` with these entries.
Tensor with_entries(Runtime& runtime, const Tensor& like, const std::vector<Entry>& entries,
                    bool coalesced) {
  const auto count = static_cast<std::int64_t>(entries.size());
  Shape shape = like.values().sizes();
  shape[0] = count;
  const Tensor indices =
      empty(runtime, {like.indices().size(0), count}, ScalarType::kLong, like.indices().device());
  const Tensor values = empty(runtime, shape, like.values().dtype(), like.values().device());
  for (std::int64_t i = 0; i < count; ++i) {
    const Entry& entry = entries[static_cast<std::size_t>(i)];
    for (std::size_t dim = 0; dim < entry.index.size(); ++dim) {
      set_integer_at(indices, static_cast<std::int64_t>(dim) * count + i, entry.index[dim]);
    }
    const auto row = static_cast<std::int64_t>(entry.values.size());
    for (std::int64_t k = 0; k < row; ++k) {
      set_real_at(values, i * row + k, entry.values[static_cast<std::size_t>(k)]);
    }
  }
  return sparse_coo(indices, values, like.sizes(), coalesced);
}

Entry scaled(Entry entry, ScalarType dtype, double factor) {
  for (double& value : entry.values) value = rounded_to(dtype, value * factor);
  return entry;
}

Entry sum_of(Entry left, const Entry& right, ScalarType dtype) {
  for (std::size_t k = 0; k < left.values.size(); ++k) {
    left.values[k] = rounded_to(dtype, left.values[k] + right.values[k]);
  }
  return left;
}

}  // namespace

Tensor sparse_clone(Runtime& runtime, const Tensor& sparse) {
  return with_entries(runtime, sparse, entries_of(runtime, sparse), sparse.is_coalesced());
}

Tensor sparse_negated(Runtime& runtime, const Tensor& sparse) {
  std::vector<Entry> entries = entries_of(runtime, sparse);
  for (Entry& entry : entries) entry = scaled(std::move(entry), sparse.dtype(), -1);
  return with_entries(runtime, sparse, entries, sparse.is_coalesced());
}

void sparse_mul_(Runtime& runtime, const Tensor& sparse, double factor) {
  wait_for_stream(runtime, sparse.values().device());
  write_elements(sparse.values(), mul(elements_of(sparse.values()), factor));
  sparse.bump_version();
}

Tensor sparse_sum(Runtime& runtime, const Tensor& left, const Tensor& right, double alpha) {
  std::vector<Entry> mine = entries_of(runtime, left);
  std::vector<Entry> others = entries_of(runtime, right);
  const ScalarType dtype = left.values().dtype();
  for (Entry& entry : others) entry = scaled(std::move(entry), dtype, alpha);
  if (mine.empty()) return with_entries(runtime, right, others, right.is_coalesced());
  if (others.empty()) return with_entries(runtime, left, mine, left.is_coalesced());

  std::vector<Entry> merged;
  auto from_mine = mine.begin();
  auto from_others = others.begin();
  while (from_mine != mine.end() && from_others != others.end()) {
    if (from_mine->index < from_others->index) {
      merged.push_back(*from_mine++);
    } else if (from_others->index < from_mine->index) {
      merged.push_back(*from_others++);
    } else {
      merged.push_back(sum_of(*from_mine++, *from_others++, dtype));
    }
  }
  merged.insert(merged.end(), from_mine, mine.end());
  merged.insert(merged.end(), from_others, others.end());
  return with_entries(runtime, left, merged, left.is_coalesced() && right.is_coalesced());
}

void sparse_add_(Runtime& runtime, const Tensor& left, const Tensor& right, double alpha) {
  const Tensor sum = sparse_sum(runtime, left, right, alpha);
  *left.impl()->sparse = {sum.indices(), sum.values(), sum.is_coalesced()};
  left.bump_version();
}

void add_sparse_(Runtime& runtime, const Tensor& dense, const Tensor& sparse, double alpha) {
  const std::vector<Entry> entries = entries_of(runtime, sparse);
  wait_for_stream(runtime, dense.device());
  Elements elements = elements_of(dense);
  for (const Entry& entry : entries) {
    std::int64_t at = 0;
    for (std::size_t dim = 0; dim < entry.index.size(); ++dim) {
      at = at * dense.sizes()[dim] + entry.index[dim];
    }
    for (std::size_t k = 0; k < entry.values.size(); ++k) {
      double& value = elements.values[static_cast<std::size_t>(at) * entry.values.size() + k];
      const Elements here{elements.dtype, {value}};
      value = add(here, Elements{elements.dtype, {entry.values[k]}}, alpha).values.front();
    }
  }
  write_elements(dense, elements);
}

}  // namespace assay::reference
