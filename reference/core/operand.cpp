// Common dtype, shape and device.
#include "reference/core/operand.hpp"

#include <string>

#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

[[noreturn]] void refuse(Device left, Device right, std::string_view name) {
  throw Error("Expected all tensors to be on the same device, but found at least two devices, " +
              to_text(left) + " and " + to_text(right) + "! (in " + std::string(name) + ")");
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
    const bool differs =
        fault("devices_compared_by_type") ? device.type != common->type : device != *common;
    if (differs) refuse(*common, device, "an element-wise operator");
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
  const Tensor* first = nullptr;
  for (const Operand& operand : operands) {
    const Tensor* tensor = tensor_in(operand);
    if (tensor == nullptr || tensor->dim() == 0) continue;
    if (tensor->sizes() != sizes || !tensor->is_non_overlapping_and_dense()) {
      return contiguous_strides(sizes);
    }
    if (first == nullptr) first = tensor;
    if (tensor->strides() != first->strides()) return contiguous_strides(sizes);
  }
  // Contiguous operands may have any stride where a size is 1; their result has not (CORE-12).
  const bool is_plain =
      first == nullptr || (first->is_contiguous() && !fault("elementwise_keeps_strides_of_size_1"));
  return is_plain ? contiguous_strides(sizes) : first->strides();
}

}  // namespace assay::reference
