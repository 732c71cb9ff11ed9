// Creates and reads tensors without operators, so that thread-local keys have no effect.
#include "harness/adapters/libtorch/tensors.hpp"

#include <ATen/EmptyTensor.h>

#include <cstring>
#include <functional>

#include "harness/adapters/libtorch/errors.hpp"
#include "harness/protocol/recipe.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::libtorch {
namespace {

using Visit = std::function<void(std::int64_t offset)>;

/// The offsets of all elements, in row-major order.
void for_each_offset(at::IntArrayRef sizes, at::IntArrayRef strides, std::int64_t offset,
                     const Visit& visit) {
  if (sizes.empty()) return visit(offset);
  for (std::int64_t i = 0; i < sizes.front(); ++i) {
    for_each_offset(sizes.slice(1), strides.slice(1), offset + i * strides.front(), visit);
  }
}

void fill(const at::Tensor& tensor, const std::vector<std::uint8_t>& bytes) {
  const std::size_t size = tensor.itemsize();
  if (bytes.size() != size * static_cast<std::size_t>(tensor.numel())) {
    throw ClientError(ErrorKind::kValue, "a tensor of " + std::to_string(tensor.numel()) +
                                             " elements does not have " +
                                             std::to_string(bytes.size()) + " bytes");
  }
  if (tensor.numel() == 0) return;
  auto* to = static_cast<std::uint8_t*>(tensor.data_ptr());
  const std::uint8_t* from = bytes.data();
  for_each_offset(tensor.sizes(), tensor.strides(), 0, [&](std::int64_t offset) {
    std::memcpy(to + static_cast<std::size_t>(offset) * size, from, size);
    from += size;
  });
}

std::vector<std::uint8_t> bytes_of(const at::Tensor& tensor) {
  const std::size_t size = tensor.itemsize();
  std::vector<std::uint8_t> bytes(size * static_cast<std::size_t>(tensor.numel()));
  if (bytes.empty()) return bytes;
  const auto* from = static_cast<const std::uint8_t*>(tensor.data_ptr());
  std::uint8_t* to = bytes.data();
  for_each_offset(tensor.sizes(), tensor.strides(), 0, [&](std::int64_t offset) {
    std::memcpy(to, from + static_cast<std::size_t>(offset) * size, size);
    to += size;
  });
  return bytes;
}

/// True if its elements are in CPU memory, or if it is a meta tensor.
bool crosses(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || !tensor.has_storage()) return false;
  if (bits_per_element(to_waist(tensor.scalar_type())) == 0) return false;
  if (tensor.device().is_meta()) return true;
  const bool is_marked = tensor.is_conj() || tensor.is_neg() || tensor._is_zerotensor();
  return tensor.device().is_cpu() && !is_marked;
}

}  // namespace

at::ScalarType to_torch(Dtype dtype) {
  // The protocol numbers types like PyTorch, and has no newer ones (CORE-01).
  const auto number = static_cast<int>(dtype);
  if (dtype == Dtype::kUndefined) return at::ScalarType::Undefined;
  if (number >= static_cast<int>(at::ScalarType::Undefined)) {
    throw NotSupported("this PyTorch has no dtype " + std::string(name_of(dtype)));
  }
  return static_cast<at::ScalarType>(number);
}

Dtype to_waist(at::ScalarType type) {
  if (type == at::ScalarType::Undefined) return Dtype::kUndefined;
  if (static_cast<int>(type) >= static_cast<int>(Dtype::kUndefined)) {
    throw NotSupported(std::string("the waist has no dtype ") + c10::toString(type));
  }
  return static_cast<Dtype>(type);
}

c10::DeviceType device_type_named(const std::string& name) {
  if (name == "privateuse1") return c10::DeviceType::PrivateUse1;
  for (int number = 0; number < c10::COMPILE_TIME_MAX_DEVICE_TYPES; ++number) {
    const auto type = static_cast<c10::DeviceType>(number);
    if (c10::isValidDeviceType(type) && c10::DeviceTypeName(type, true) == name) return type;
  }
  throw NotSupported("this PyTorch has no device type " + name);
}

c10::Device to_torch(const Device& device) {
  if (device.type.empty()) return c10::Device(c10::DeviceType::CPU);
  return {device_type_named(device.type), static_cast<c10::DeviceIndex>(device.index)};
}

Device to_waist(const c10::Device& device) {
  return {c10::DeviceTypeName(device.type(), true), device.index()};
}

at::Tensor tensor_of(const TensorValue& value) {
  if (value.recipe) return tensor_of(materialize(value));
  const c10::Device device = to_torch(value.device);
  const at::ScalarType type = to_torch(value.dtype);
  if (device.is_meta()) {
    if (value.strides.empty()) return at::Tensor(at::detail::empty_meta(value.shape, type));
    return at::Tensor(at::detail::empty_strided_meta(value.shape, value.strides, type));
  }
  if (!device.is_cpu()) throw NotSupported("tensors by value on " + device.str());
  at::Tensor tensor =
      value.strides.empty()
          ? at::Tensor(at::detail::empty_cpu(value.shape, type))
          : at::Tensor(at::detail::empty_strided_cpu(value.shape, value.strides, type));
  fill(tensor, value.data);
  return tensor;
}

Value by_value(const at::Tensor& tensor, std::uint64_t digest) {
  if (!tensor.defined()) return Opaque{"undefined"};
  if (!crosses(tensor)) return Opaque{"tensor"};
  TensorValue value;
  value.dtype = to_waist(tensor.scalar_type());
  value.shape = tensor.sizes().vec();
  if (!tensor.is_contiguous()) value.strides = tensor.strides().vec();
  value.device = to_waist(tensor.device());
  if (tensor.device().is_meta()) return value;
  value.data = bytes_of(tensor);
  if (digest == 0) return value;
  value.digest = digest_of(value, digest);
  value.data = std::vector<std::uint8_t>();
  return value;
}

std::optional<at::Scalar> scalar_from(const Value& value) {
  if (const auto* held = value.get_if<bool>()) return at::Scalar(*held);
  if (const auto* held = value.get_if<std::int64_t>()) return at::Scalar(*held);
  if (const auto* held = value.get_if<double>()) return at::Scalar(*held);
  if (const auto* held = value.get_if<Complex>()) {
    return at::Scalar(c10::complex<double>(held->real, held->imag));
  }
  return std::nullopt;
}

Value to_waist(const at::Scalar& scalar) {
  if (scalar.isBoolean()) return scalar.to<bool>();
  if (scalar.isIntegral(false)) return scalar.to<std::int64_t>();
  if (scalar.isFloatingPoint()) return scalar.to<double>();
  const auto held = scalar.to<c10::complex<double>>();
  return Complex{held.real(), held.imag()};
}

}  // namespace assay::libtorch
