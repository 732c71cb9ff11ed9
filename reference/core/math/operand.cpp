// Determines common dtype, shape and device.
#include "reference/core/math/operand.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace assay::reference {
namespace {

[[noreturn]] void refuse(Device left, Device right, std::string_view name) {
  throw Error("Expected all tensors to be on the same device, but found at least two devices, " +
              to_text(left) + " and " + to_text(right) + "! (in " + std::string(name) + ")");
}

/// Succeeds if all operands have the result's sizes and are contiguous or share one dense layout.
std::optional<Shape> strides_of_all(const std::vector<Operand>& operands, const Shape& sizes) {
  const Tensor* first = nullptr;
  bool is_contiguous = true;
  bool is_alike = true;
  for (const Operand& operand : operands) {
    const Tensor* tensor = tensor_in(operand);
    const Shape own = tensor == nullptr ? Shape() : tensor->sizes();
    if (own != sizes) return std::nullopt;
    if (tensor == nullptr || tensor->dim() == 0) continue;
    if (first == nullptr) first = tensor;
    is_contiguous = is_contiguous && tensor->is_contiguous();
    is_alike = is_alike && tensor->sizes() == sizes && tensor->strides() == first->strides() &&
               tensor->is_non_overlapping_and_dense();
  }
  if (first == nullptr || is_contiguous) return contiguous_strides(sizes);
  return is_alike ? std::optional(first->strides()) : std::nullopt;
}

/// Returns the tensor's stride in a dimension of the result; 0 if it is broadcast there.
std::int64_t step_in(const Tensor& tensor, const Shape& sizes, std::size_t dim) {
  const std::size_t added = sizes.size() - tensor.sizes().size();
  if (dim < added) return 0;
  const bool is_repeated = tensor.sizes()[dim - added] != sizes[dim];
  return is_repeated ? 0 : tensor.strides()[dim - added];
}

/// Must `inner` be moved outside `outer`? The first operand with non-zero strides in both decides,
/// unless the strides are equal and the smaller dimension is already inside.
std::optional<bool> must_swap(const std::vector<Operand>& operands, const Shape& sizes,
                              std::size_t inner, std::size_t outer) {
  for (const Operand& operand : operands) {
    const Tensor* tensor = tensor_in(operand);
    if (tensor == nullptr) continue;
    const std::int64_t near = step_in(*tensor, sizes, inner);
    const std::int64_t far = step_in(*tensor, sizes, outer);
    if (near == 0 || far == 0) continue;
    if (near != far) return near > far;
    if (sizes[inner] > sizes[outer]) return true;
  }
  return std::nullopt;
}

/// Orders the dimensions from innermost to outermost, following the operands' strides. By default
/// the last dimension is innermost.
std::vector<std::size_t> nesting_of(const std::vector<Operand>& operands, const Shape& sizes) {
  std::vector<std::size_t> nesting(sizes.size());
  std::iota(nesting.rbegin(), nesting.rend(), std::size_t{0});
  for (std::size_t i = 1; i < nesting.size(); ++i) {
    std::size_t moving = i;
    for (std::size_t place = i; place > 0; --place) {
      const auto swaps = must_swap(operands, sizes, nesting[place - 1], nesting[moving]);
      if (!swaps) continue;
      if (!*swaps) break;
      std::swap(nesting[place - 1], nesting[moving]);
      moving = place - 1;
    }
  }
  return nesting;
}

}  // namespace

ScalarType result_type(const std::vector<Operand>& operands, const Contract& contract) {
  using Class = TypedOperand::Class;
  std::vector<TypedOperand> typed;
  for (const Operand& operand : operands) {
    if (const Tensor* tensor = tensor_in(operand)) {
      typed.push_back({tensor->dim() == 0 ? Class::kZeroDim : Class::kDim, tensor->dtype()});
    } else {
      typed.push_back({Class::kScalar, std::get<Scalar>(operand).type()});
    }
  }
  return result_type(typed, ScalarType::kFloat, contract);
}

Shape broadcast_shape(const std::vector<Operand>& operands) {
  Shape shape;
  for (const Operand& operand : operands) {
    if (const Tensor* tensor = tensor_in(operand)) {
      shape = broadcast_shapes(shape, tensor->sizes());
    }
  }
  return shape;
}

Device elementwise_device(const std::vector<Operand>& operands) {
  std::optional<Device> common;
  std::optional<Device> of_numbers;
  for (const Operand& operand : operands) {
    const Tensor* tensor = tensor_in(operand);
    if (tensor == nullptr) continue;
    const Device device = tensor->device();
    if (tensor->dim() == 0 && device.is_cpu()) {
      of_numbers = device;
      continue;
    }
    if (!common) common = device;
    if (device != *common) refuse(*common, device, "an element-wise operator");
  }
  if (common) return *common;
  return of_numbers.value_or(kCpuDevice);
}

Device common_device(const std::vector<Tensor>& tensors, std::string_view name) {
  std::optional<Device> common;
  for (const Tensor& tensor : tensors) {
    if (!tensor.defined()) continue;
    if (!common) common = tensor.device();
    if (tensor.device() != *common) refuse(*common, tensor.device(), name);
  }
  return common.value_or(kCpuDevice);
}

Shape elementwise_strides(const std::vector<Operand>& operands, const Shape& sizes) {
  if (const auto common = strides_of_all(operands, sizes)) return *common;
  Shape strides(sizes.size());
  std::int64_t next = 1;
  for (const std::size_t dim : nesting_of(operands, sizes)) {
    strides[dim] = next;
    next *= std::max<std::int64_t>(sizes[dim], 1);
  }
  return strides;
}

}  // namespace assay::reference
