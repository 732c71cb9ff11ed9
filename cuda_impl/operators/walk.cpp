// Merges dimensions, because fewer dimensions are faster to walk; detects overlap by storage and
// byte range; prepares operands for kernels.
#include "cuda_impl/operators/walk.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "cuda_impl/operators/copy/copy.hpp"

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

namespace {

/// The byte range from the first element to the end of the last.
struct Bytes {
  std::int64_t begin;
  std::int64_t end;
  bool operator==(const Bytes&) const = default;
  bool is_apart_from(const Bytes& other) const { return begin >= other.end || other.begin >= end; }
};

Bytes bytes_of(const Tensor& tensor) {
  const auto element = static_cast<std::int64_t>(size_bytes(tensor.dtype()));
  const std::int64_t begin = tensor->offset * element;
  return {begin, begin + extent_of(tensor.sizes(), tensor.strides()) * element};
}

}  // namespace

void require_own_elements(const Tensor& written) {
  if (written.is_dense() || written.numel() == 0) return;
  for (std::size_t dim = 0; dim < written.sizes().size(); ++dim) {
    require(written.strides()[dim] != 0 || written.sizes()[dim] == 1, [] {
      return "unsupported operation: more than one element of the written-to tensor refers to a "
             "single memory location. Please clone() the tensor before performing the operation.";
    });
  }
}

void require_no_partial_overlap(const Tensor& written, const Tensor& read) {
  if (!written.is_alias_of(read) || !written.is_dense() || !read.is_dense()) return;
  if (written.numel() == 0 || read.numel() == 0) return;
  const Bytes target = bytes_of(written);
  const Bytes source = bytes_of(read);
  const bool is_same = target == source && written.strides() == read.strides();
  require(is_same || target.is_apart_from(source), [] {
    return "unsupported operation: some elements of the input tensor and the written-to tensor "
           "refer to a single memory location. Please clone() the tensor before performing the "
           "operation.";
  });
}

bool may_overlap(const Tensor& a, const Tensor& b) {
  if (!a.is_alias_of(b) || is_same_view(a, b)) return false;
  return !bytes_of(a).is_apart_from(bytes_of(b));
}

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.is_alias_of(b) && a.dtype() == b.dtype() && a->offset == b->offset &&
         a.sizes() == b.sizes() && a.strides() == b.strides();
}

// Operands.

namespace {

void require_same(Device a, Device b) {
  require(a == b, [&] {
    return "Expected all tensors to be on the same device, but found at least two devices, " +
           to_text(a) + " and " + to_text(b) + "!";
  });
}

bool is_number_of_host(const Tensor& tensor) {
  return tensor.dim() == 0 && tensor.device().is_cpu();
}

Number number_of(const Scalar& scalar) {
  Number number{scalar.real(), 0};
  if (scalar.is<std::int64_t>()) number.whole = scalar.as<std::int64_t>();
  if (scalar.is<bool>()) number.whole = scalar.as<bool>() ? 1 : 0;
  return number;
}

/// Returns whether all tensors have the result's sizes and one common dense layout.
bool are_alike(std::span<const Operand> operands, const Shape& sizes) {
  const Shape* strides = nullptr;
  for (const Operand& operand : operands) {
    if (!operand.is_tensor() && !sizes.empty()) return false;
    if (!operand.is_tensor()) continue;
    const Tensor& tensor = operand.tensor();
    if (!tensor.is_dense() || tensor.sizes() != sizes) return false;
    if (strides != nullptr && tensor.strides() != *strides) return false;
    strides = &tensor.strides();
  }
  return strides != nullptr;
}

/// Dimensions from the innermost to the outermost.
using Order = std::vector<std::size_t>;

/// Negative: `a` is inside `b`; positive: outside; 0: no operand decides.
int compare_dims(const std::vector<Shape>& strides, const Shape& sizes, std::size_t a,
                 std::size_t b) {
  for (const Shape& of_operand : strides) {
    if (of_operand[a] == 0 || of_operand[b] == 0) continue;
    if (of_operand[a] != of_operand[b]) return of_operand[a] < of_operand[b] ? -1 : 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

/// Insertion sort, because the comparison is not transitive where no operand decides.
Order order_of(const std::vector<Shape>& strides, const Shape& sizes) {
  Order order(sizes.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t at = i;
    for (std::size_t below = i; below-- > 0;) {
      const int compared = compare_dims(strides, sizes, order[below], order[at]);
      if (compared < 0) break;
      if (compared == 0) continue;
      std::swap(order[below], order[at]);
      at = below;
    }
  }
  return order;
}

}  // namespace

Device elementwise_device(std::span<const Operand> operands) {
  std::optional<Device> common;
  for (const Operand& operand : operands) {
    if (!operand.is_tensor() || is_number_of_host(operand.tensor())) continue;
    const Device device = operand.tensor().device();
    if (common) require_same(*common, device);
    common = device;
  }
  return common.value_or(kCpu);
}

Device common_device(std::span<const Tensor> tensors) {
  std::optional<Device> common;
  for (const Tensor& tensor : tensors) {
    if (!tensor.defined()) continue;
    if (common) require_same(*common, tensor.device());
    common = tensor.device();
  }
  return common.value_or(kCpu);
}

Shape broadcast_sizes(std::span<const Operand> operands) {
  Shape sizes;
  for (const Operand& operand : operands) {
    if (operand.is_tensor()) sizes = broadcast(sizes, operand.tensor().sizes());
  }
  return sizes;
}

Shape elementwise_strides(std::span<const Operand> operands, const Shape& sizes) {
  std::vector<Shape> strides;
  bool is_contiguous = true;
  const Tensor* any = nullptr;
  for (const Operand& operand : operands) {
    is_contiguous = is_contiguous && (operand.is_tensor() || sizes.empty());
    if (!operand.is_tensor()) continue;
    any = &operand.tensor();
    is_contiguous = is_contiguous && any->is_contiguous() && any->sizes() == sizes;
    strides.push_back(broadcast_strides(any->sizes(), any->strides(), sizes));
  }
  if (is_contiguous) return contiguous_strides(sizes);
  if (are_alike(operands, sizes)) return any->strides();
  Shape result(sizes.size());
  std::int64_t stride = 1;
  for (const std::size_t dim : order_of(strides, sizes)) {
    result[dim] = stride;
    stride *= std::max<std::int64_t>(sizes[dim], 1);
  }
  return result;
}

Number narrowed(const Number& number, Dtype dtype) {
  const Element element = to_element_unchecked(number.real, dtype);
  return number_of(from_element(element.data(), dtype));
}

ConvertedOperand converted_operand(const Operand& operand, Dtype common, Device device) {
  if (!operand.is_tensor()) return {{}, number_of(operand.scalar())};
  const Tensor& tensor = operand.tensor();
  // A 0-dim CPU tensor keeps its precision beside narrower elements; a 0-dim device tensor does
  // not.
  if (is_number_of_host(tensor) && !device.is_meta()) {
    return {{}, number_of(from_element(tensor.data_as<std::byte>(), tensor.dtype()))};
  }
  return {to(tensor, common), {}};
}

}  // namespace assay::cuda
