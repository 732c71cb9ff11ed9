// Converts dtypes, devices, numbers and tensors.
#include "cuda_impl/subject/values.hpp"

#include <atomic>
#include <cstring>

#include "cuda_impl/core/session.hpp"
#include "harness/protocol/recipe.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::cuda {
namespace {

// Both sides number these in the order of the same clause (CORE-01, CORE-19), so a cast translates.
static_assert(static_cast<int>(assay::Dtype::kUndefined) == static_cast<int>(Dtype::kUndefined));
static_assert(static_cast<int>(assay::Dtype::kBfloat16) == static_cast<int>(Dtype::kBFloat16));
static_assert(static_cast<int>(assay::Dtype::kBool) == static_cast<int>(Dtype::kBool));
static_assert(static_cast<int>(assay::ErrorKind::kDevice) == static_cast<int>(ErrorKind::kDevice));
static_assert(static_cast<int>(assay::ErrorKind::kAssertion) ==
              static_cast<int>(ErrorKind::kAssertion));
static_assert(static_cast<int>(assay::kNewestRelease) == static_cast<int>(kNewestRelease));

void check_elements(const TensorValue& value, std::size_t elements) {
  const std::size_t wanted = elements * size_bytes(from_waist(value.dtype));
  if (value.data.size() == wanted) return;
  throw InvalidArgument("a tensor of shape " + to_text(value.shape) + " has " +
                        std::to_string(wanted) + " bytes of elements, not " +
                        std::to_string(value.data.size()));
}

const std::byte* bytes_of(const std::vector<std::uint8_t>& data) {
  return reinterpret_cast<const std::byte*>(data.data());
}

/// Fills gaps with zeros.
std::vector<std::byte> spread(const TensorValue& value, std::size_t extent) {
  const std::size_t element = size_bytes(from_waist(value.dtype));
  std::vector<std::byte> span(extent * element);
  const std::byte* from = bytes_of(value.data);
  for_each_offset(value.shape, value.strides, [&](std::int64_t offset) {
    std::memcpy(span.data() + static_cast<std::size_t>(offset) * element, from, element);
    from += element;
  });
  return span;
}

Tensor strided_from(const TensorValue& value, Dtype dtype, Device device) {
  if (value.strides.size() != value.shape.size()) {
    throw InvalidArgument("shape " + to_text(value.shape) + " and strides " +
                          to_text(value.strides) + " must be as many");
  }
  const Tensor tensor = empty_strided(value.shape, value.strides, dtype, device);
  if (tensor.numel() == 0) return tensor;
  const std::int64_t extent = extent_of(value.shape, value.strides);
  const std::vector<std::byte> span = spread(value, static_cast<std::size_t>(extent));
  write_elements(as_strided(tensor, {extent}, {1}, 0), span.data());
  return tensor;
}

Tensor meta_from(const TensorValue& value, Dtype dtype) {
  if (value.strides.empty()) return empty(value.shape, dtype, kMeta);
  return empty_strided(value.shape, value.strides, dtype, kMeta);
}

std::vector<std::uint8_t> elements_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {first, first + bytes.size()};
}

TensorValue dense_value(const Tensor& tensor, const ValueOptions& options) {
  TensorValue value;
  value.dtype = to_waist(tensor.dtype());
  value.shape = tensor.sizes();
  if (!tensor.is_contiguous()) value.strides = tensor.strides();
  value.device = to_waist(tensor.device(), options.release);
  if (tensor.is_meta()) return value;
  value.data = elements_of(tensor);
  if (options.digest == 0) return value;
  value.digest = digest_of(value, options.digest);
  value.data = std::vector<std::uint8_t>();  // clear() would keep the memory
  return value;
}

/// Process-wide, like the devices.
std::atomic<bool> is_home_on_host = false;

}  // namespace

Dtype from_waist(assay::Dtype dtype) { return static_cast<Dtype>(dtype); }
assay::Dtype to_waist(Dtype dtype) { return static_cast<assay::Dtype>(dtype); }
ErrorKind from_waist(assay::ErrorKind kind) { return static_cast<ErrorKind>(kind); }
assay::ErrorKind to_waist(ErrorKind kind) { return static_cast<assay::ErrorKind>(kind); }
Release from_waist(assay::Release release) { return static_cast<Release>(release); }
assay::Release to_waist(Release release) { return static_cast<assay::Release>(release); }

Device home() { return is_home_on_host.load() ? kCpu : Session::home(); }
void set_home(Device device) { is_home_on_host = device.is_cpu(); }

Device from_waist(const assay::Device& device, Release release) {
  if (device.type.empty()) return home();
  const auto kind = device_kind_named(device.type, release);
  require(kind.has_value(), [&] { return "there is no device type '" + device.type + "'"; });
  return {*kind, device.index};
}

assay::Device to_waist(Device device, Release release) {
  return {std::string(name_of(device.kind, release)), device.index};
}

Tensor tensor_from(const TensorValue& value, Release release) {
  if (value.recipe) return tensor_from(materialize(value), release);
  const Dtype dtype = from_waist(value.dtype);
  const Device device = Session::resolve(from_waist(value.device, release));
  if (device.is_meta()) return meta_from(value, dtype);
  check_elements(value, static_cast<std::size_t>(numel_of(value.shape)));
  if (!value.strides.empty()) return strided_from(value, dtype, device);
  const Tensor tensor = empty(value.shape, dtype, device);
  write_elements(tensor, bytes_of(value.data));
  return tensor;
}

Tensor sparse_from(const SparseValue& value, Release release) {
  return sparse_coo(tensor_from(value.indices, release), tensor_from(value.values, release),
                    value.shape, value.coalesced);
}

Value value_of(const Tensor& tensor, const ValueOptions& options) {
  if (!tensor.defined()) return Opaque{"undefined"};
  if (!tensor.is_sparse()) return dense_value(tensor, options);
  const SparseParts& parts = *tensor->sparse;
  SparseValue value;
  value.indices = dense_value(parts.indices, options);
  value.values = dense_value(parts.values, options);
  value.shape = tensor.sizes();
  value.coalesced = parts.is_coalesced;
  return value;
}

Value value_of(const Shape& shape) {
  List list;
  for (const std::int64_t size : shape) list.items.emplace_back(size);
  return list;
}

Value value_of(const Scalar& scalar) {
  struct InWaist {
    Value operator()(bool held) const { return held; }
    Value operator()(std::int64_t held) const { return held; }
    Value operator()(double held) const { return held; }
    Value operator()(std::complex<double> held) const { return Complex{held.real(), held.imag()}; }
  };
  return std::visit(InWaist{}, scalar.stored());
}

std::optional<Scalar> scalar_from(const Value& value) {
  if (const auto* held = value.get_if<bool>()) return Scalar(*held);
  if (const auto* held = value.get_if<std::int64_t>()) return Scalar(*held);
  if (const auto* held = value.get_if<double>()) return Scalar(*held);
  if (const auto* held = value.get_if<Complex>()) {
    return Scalar(std::complex<double>(held->real, held->imag));
  }
  return std::nullopt;
}

}  // namespace assay::cuda
