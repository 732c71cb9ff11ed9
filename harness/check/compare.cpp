// Compares values by their bits.
#include "harness/check/compare.hpp"

#include <algorithm>
#include <bit>

#include "harness/check/distance.hpp"
#include "harness/check/words.hpp"

namespace assay {
namespace {

bool element_agrees(Dtype dtype, std::uint64_t got, std::uint64_t wanted,
                    const Tolerance& tolerance) {
  if (got == wanted) return true;
  if (!is_floating(dtype)) return false;
  if (is_nan(dtype, got) || is_nan(dtype, wanted)) {
    return tolerance.nan_by_class && is_nan(dtype, got) && is_nan(dtype, wanted);
  }
  const auto distance = ulp_distance(dtype, got, wanted);
  return tolerance.ulp > 0 && distance && *distance <= static_cast<std::uint64_t>(tolerance.ulp);
}

Difference plain(const Value& got, const Value& wanted) {
  return {"", in_words(wanted), in_words(got), ""};
}

std::string position(const std::vector<std::int64_t>& shape, std::size_t index) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    text = std::to_string(index % extent) + (text.empty() ? "" : ", " + text);
    index /= extent;
  }
  return "element [" + text + "]";
}

std::optional<Difference> compare_digests(const TensorValue& got, const TensorValue& wanted) {
  if (!got.digest || !wanted.digest) return plain(Value(got), Value(wanted));
  if (*got.digest == *wanted.digest) return std::nullopt;
  const auto& left = got.digest->crc;
  const auto& right = wanted.digest->crc;
  const auto at = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  Difference difference = plain(Value(got), Value(wanted));
  difference.where = "digest of block " + std::to_string(at.first - left.begin());
  return difference;
}

/// Strides of dimensions that have one element, or of a tensor that has none, say nothing.
bool is_contiguous(const TensorValue& tensor) {
  if (tensor.strides.empty()) return true;
  std::uint64_t expected = 1;  // shapes of digests may be too large for a product
  bool is_dense = true;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    const std::int64_t extent = tensor.shape[axis];
    if (extent == 0) return true;
    if (extent == 1) continue;
    is_dense = is_dense && static_cast<std::uint64_t>(tensor.strides[axis]) == expected;
    expected *= static_cast<std::uint64_t>(extent);
  }
  return is_dense;
}

/// Absent strides are those of a contiguous tensor.
bool have_same_layout(const TensorValue& left, const TensorValue& right) {
  return left.strides == right.strides || (is_contiguous(left) && is_contiguous(right));
}

std::optional<Difference> compare_tensors(const TensorValue& got, const TensorValue& wanted,
                                          const Tolerance& tolerance) {
  const bool same_device = wanted.device.type.empty() || got.device == wanted.device;
  const bool same_form = got.dtype == wanted.dtype && got.shape == wanted.shape;
  if (!same_form || !have_same_layout(got, wanted) || !same_device)
    return plain(Value(got), Value(wanted));
  if (got.digest || wanted.digest) return compare_digests(got, wanted);
  // A recipe says what to make, not what was made.
  if (got.recipe || wanted.recipe) return plain(Value(got), Value(wanted));
  if (got.data.size() != wanted.data.size()) return plain(Value(got), Value(wanted));
  const std::size_t width = bits_per_element(got.dtype) / 8;
  const std::size_t count = width == 0 ? 0 : got.data.size() / width;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t left = got.bits_at(i);
    const std::uint64_t right = wanted.bits_at(i);
    if (element_agrees(got.dtype, left, right, tolerance)) continue;
    return Difference{got.shape.empty() ? "" : position(got.shape, i),
                      element_in_words(got.dtype, right), element_in_words(got.dtype, left),
                      distance_in_words(got.dtype, left, right)};
  }
  return std::nullopt;
}

std::optional<Difference> compare_sparse(const SparseValue& got, const SparseValue& wanted,
                                         const Tolerance& tolerance) {
  if (got.shape != wanted.shape || got.coalesced != wanted.coalesced) {
    return plain(Value(got), Value(wanted));
  }
  if (auto difference = compare_tensors(got.indices, wanted.indices, tolerance)) {
    difference->where = "indices, " + difference->where;
    return difference;
  }
  return compare_tensors(got.values, wanted.values, tolerance);
}

std::optional<Difference> compare_items(const std::vector<Value>& got,
                                        const std::vector<Value>& wanted,
                                        const Tolerance& tolerance) {
  for (std::size_t i = 0; i < std::min(got.size(), wanted.size()); ++i) {
    auto difference = compare(got[i], wanted[i], tolerance);
    if (!difference) continue;
    difference->where =
        "item " + std::to_string(i) + (difference->where.empty() ? "" : ", " + difference->where);
    return difference;
  }
  if (got.size() == wanted.size()) return std::nullopt;
  return Difference{"number of items", std::to_string(wanted.size()), std::to_string(got.size()),
                    ""};
}

std::optional<Difference> compare_reals(double got, double wanted, const Tolerance& tolerance) {
  const auto left = std::bit_cast<std::uint64_t>(got);
  const auto right = std::bit_cast<std::uint64_t>(wanted);
  if (element_agrees(Dtype::kFloat64, left, right, tolerance)) return std::nullopt;
  Difference difference = plain(got, wanted);
  difference.distance = distance_in_words(got, wanted);
  return difference;
}

/// The items of a list-like value, or null. Lists and tuples never compare equal: the caller has
/// compared their kinds.
const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.get_if<List>()) return &list->items;
  if (const auto* tuple = value.get_if<Tuple>()) return &tuple->items;
  if (const auto* lazy = value.get_if<Lazy>()) return &lazy->items;
  return nullptr;
}

std::optional<Difference> compare_dicts(const Dict& got, const Dict& wanted,
                                        const Tolerance& tolerance) {
  std::vector<Value> left;
  std::vector<Value> right;
  for (const auto& [key, value] : got.items) left.insert(left.end(), {key, value});
  for (const auto& [key, value] : wanted.items) right.insert(right.end(), {key, value});
  return compare_items(left, right, tolerance);
}

}  // namespace

std::optional<Difference> compare(const Value& got, const Value& wanted,
                                  const Tolerance& tolerance) {
  if (kind_of(got) != kind_of(wanted)) return plain(got, wanted);
  if (const auto* tensor = wanted.tensor())
    return compare_tensors(*got.tensor(), *tensor, tolerance);
  if (const auto* sparse = wanted.sparse())
    return compare_sparse(*got.sparse(), *sparse, tolerance);
  if (const auto* items = items_of(wanted)) return compare_items(*items_of(got), *items, tolerance);
  if (const auto* dict = wanted.get_if<Dict>()) {
    return compare_dicts(*got.get_if<Dict>(), *dict, tolerance);
  }
  if (const auto* real = wanted.get_if<double>()) {
    return compare_reals(*got.get_if<double>(), *real, tolerance);
  }
  if (identical(got, wanted)) return std::nullopt;
  return plain(got, wanted);
}

}  // namespace assay
