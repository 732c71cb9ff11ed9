// Converts dtypes, devices and tensors to and from protocol values.
#include "reference/subject/values.hpp"

#include "harness/protocol/recipe.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

// Both sides number the types as PyTorch does, so that a cast translates.
static_assert(static_cast<int>(assay::Dtype::kUndefined) ==
              static_cast<int>(ScalarType::kUndefined));
static_assert(static_cast<int>(assay::Dtype::kBfloat16) == static_cast<int>(ScalarType::kBFloat16));
static_assert(static_cast<int>(assay::Dtype::kUint64) == static_cast<int>(ScalarType::kUInt64));
static_assert(static_cast<int>(assay::ErrorKind::kAssertion) ==
              static_cast<int>(ErrorKind::kAssertion));
static_assert(static_cast<int>(assay::ErrorKind::kType) == static_cast<int>(ErrorKind::kType));
static_assert(static_cast<int>(assay::kNewestRelease) == static_cast<int>(kNewestRelease));

std::vector<std::uint8_t> elements_of(const Tensor& tensor) {
  const std::size_t size = element_size(tensor.dtype());
  const std::uint8_t* from = tensor.data();
  if (from == nullptr) return {};
  if (tensor.is_contiguous()) {
    return {from, from + static_cast<std::size_t>(tensor.numel()) * size};
  }
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(tensor.numel()) * size);
  for_each_offset(tensor.sizes(), tensor.strides(), 0, [&](std::int64_t offset) {
    const std::uint8_t* at = from + static_cast<std::size_t>(offset) * size;
    bytes.insert(bytes.end(), at, at + size);
  });
  return bytes;
}

/// Requires consistent parts: each index must be inside its dimension.
void check_indices(const SparseValue& value) {
  const TensorValue indices = value.indices.recipe ? materialize(value.indices) : value.indices;
  if (indices.data.empty()) return;  // a meta tensor has none
  const auto entries = static_cast<std::size_t>(indices.shape[1]);
  for (std::size_t i = 0; i < static_cast<std::size_t>(indices.numel()); ++i) {
    const std::size_t dim = i / entries;
    const auto index = static_cast<std::int64_t>(indices.bits_at(i));
    check(index >= 0 && index < value.shape[dim], [&] {
      return "size is inconsistent with indices: for dim " + std::to_string(dim) + ", size is " +
             std::to_string(value.shape[dim]) + " but found index " + std::to_string(index);
    });
  }
}

void fill_view(const Tensor& view, const std::vector<std::uint8_t>& bytes) {
  const std::size_t size = element_size(view.dtype());
  const std::uint8_t* from = bytes.data();
  for_each_offset(view.sizes(), view.strides(), 0, [&](std::int64_t offset) {
    std::memcpy(view.data() + static_cast<std::size_t>(offset) * size, from, size);
    from += size;
  });
}

void check_value(const TensorValue& value, std::size_t bytes) {
  const std::size_t wanted =
      static_cast<std::size_t>(numel_of(value.shape)) * element_size(to_reference(value.dtype));
  check(bytes == wanted, ErrorKind::kValue, [&] {
    return "a tensor of shape " + to_text(value.shape) + " has " + std::to_string(wanted) +
           " bytes of elements, got " + std::to_string(bytes);
  });
}

TensorValue value_of_dense(const Runtime& runtime, const Tensor& tensor, std::uint64_t digest) {
  TensorValue value;
  value.dtype = to_protocol(tensor.dtype());
  value.shape = tensor.sizes();
  if (!tensor.is_contiguous()) value.strides = tensor.strides();
  value.device = to_protocol(runtime, tensor.device());
  value.data = elements_of(tensor);
  if (digest == 0 || tensor.is_meta()) return value;
  value.digest = digest_of(value, digest);
  value.data = std::vector<std::uint8_t>();  // clear() would keep the memory as long as the reply
  return value;
}

}  // namespace

ScalarType to_reference(assay::Dtype dtype) { return static_cast<ScalarType>(dtype); }
assay::Dtype to_protocol(ScalarType type) { return static_cast<assay::Dtype>(type); }
assay::ErrorKind to_protocol(ErrorKind kind) { return static_cast<assay::ErrorKind>(kind); }

Device to_reference(const Runtime& runtime, const assay::Device& device) {
  if (device.type.empty()) return runtime.home();
  const auto type = device_type_named(device.type, runtime.contract().release);
  check(type.has_value(), [&] { return "there is no device type '" + device.type + "'"; });
  return {*type, device.index};
}

assay::Device to_protocol(const Runtime& runtime, Device device) {
  return {std::string(name_of(device.type, runtime.contract().release)), device.index};
}

Contract to_reference(const assay::Contract& contract) {
  return {static_cast<Release>(contract.release), static_cast<DeviceRules>(contract.device_rules),
          static_cast<Deviations>(contract.deviations)};
}

assay::Contract to_protocol(const Contract& contract) {
  return {static_cast<assay::Release>(contract.release),
          static_cast<assay::DeviceRules>(contract.device_rules),
          static_cast<assay::Deviations>(contract.deviations)};
}

Tensor to_reference(Runtime& runtime, const TensorValue& value) {
  if (value.recipe) return to_reference(runtime, materialize(value));
  const ScalarType dtype = to_reference(value.dtype);
  const Device device = to_reference(runtime, value.device);
  if (device.is_meta()) {
    const Shape strides = value.strides.empty() ? contiguous_strides(value.shape) : value.strides;
    return empty_strided(runtime, value.shape, strides, dtype, device);
  }
  check_value(value, value.data.size());
  if (value.strides.empty()) return from_bytes(runtime, value.data, value.shape, dtype, device);
  check(value.strides.size() == value.shape.size(), ErrorKind::kValue, [&] {
    return "shape " + to_text(value.shape) + " and strides " + to_text(value.strides) +
           " must be as many";
  });
  const std::int64_t extent = extent_of(value.shape, value.strides);
  const Tensor base = empty(runtime, {extent}, dtype, device);
  const Tensor view = as_strided(base, value.shape, value.strides);
  fill_view(view, value.data);
  return view;
}

Tensor to_reference(Runtime& runtime, const SparseValue& value) {
  const Tensor made = sparse_coo(to_reference(runtime, value.indices),
                                 to_reference(runtime, value.values), value.shape, value.coalesced);
  check_indices(value);
  return made;
}

Value to_protocol(const Runtime& runtime, const Tensor& tensor, std::uint64_t digest) {
  if (!tensor.defined()) return assay::Opaque{"undefined"};
  if (!tensor.is_sparse()) return value_of_dense(runtime, tensor, digest);
  SparseValue value;
  value.indices = value_of_dense(runtime, tensor.indices(), digest);
  value.values = value_of_dense(runtime, tensor.values(), digest);
  value.shape = tensor.sizes();
  value.coalesced = tensor.is_coalesced();
  return value;
}

std::optional<Scalar> scalar_from(const Value& value) {
  if (const auto* held = value.get_if<bool>()) return Scalar(*held);
  if (const auto* held = value.get_if<std::int64_t>()) return Scalar(*held);
  if (const auto* held = value.get_if<double>()) return Scalar(*held);
  if (const auto* held = value.get_if<assay::Complex>()) {
    return Scalar(std::complex<double>(held->real, held->imag));
  }
  return std::nullopt;
}

Value to_protocol(const Scalar& scalar) {
  struct Visitor {
    Value operator()(bool held) const { return held; }
    Value operator()(std::int64_t held) const { return held; }
    Value operator()(double held) const { return held; }
    Value operator()(std::complex<double> held) const {
      return assay::Complex{held.real(), held.imag()};
    }
  };
  return std::visit(Visitor{}, scalar.value());
}

Value to_protocol(const Shape& shape) {
  assay::List list;
  for (const std::int64_t size : shape) list.items.emplace_back(size);
  return list;
}

}  // namespace assay::reference
