// Area core: tensors, using operators of every PyTorch build.
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/release.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

Value sizes_value(at::IntArrayRef sizes) {
  List list;
  for (const std::int64_t size : sizes) list.items.emplace_back(size);
  return list;
}

/// Nothing if T does not match the dtype.
template <typename T>
std::optional<bool> is_null(const at::Tensor& tensor, at::ScalarType type,
                            const std::string& access) {
  if (type != c10::CppTypeToScalarType<T>::value) return std::nullopt;
  return pointer_to<T>(tensor, access) == nullptr;
}

template <typename... T>
bool is_null_as(const at::Tensor& tensor, at::ScalarType type, const std::string& access) {
  std::optional<bool> found;
  ((found = found ? found : is_null<T>(tensor, type, access)), ...);
  if (!found) throw NotSupported("a pointer to such a dtype");
  return *found;
}

c10::MemoryFormat format_argument(Call& call) {
  const std::string text = call.arguments().text("memory_format", "preserve");
  if (text == "preserve") return c10::MemoryFormat::Preserve;
  if (text == "contiguous") return c10::MemoryFormat::Contiguous;
  if (text == "channels_last") return c10::MemoryFormat::ChannelsLast;
  throw NotSupported("no memory format '" + text + "'");
}

}  // namespace

void core_tensor(Call& call) {
  const at::Tensor made = call.tensor_from(call.arguments().value("value"));
  if (call.arguments().boolean("requires_grad", false)) made.set_requires_grad(true);
  call.result(made);
}

void core_undefined(Call& call) { call.result(at::Tensor()); }

void core_read(Call& call) {
  call.set("result", by_value(call.tensor("tensor"), call.command().digest));
}

void core_info(Call& call) {
  const at::Tensor tensor = call.tensor("tensor");
  call.set("defined", tensor.defined());
  call.set("dtype", to_waist(tensor.defined() ? tensor.scalar_type() : at::ScalarType::Undefined));
  call.set("shape", sizes_value(tensor.sizes()));
  // PyTorch raises for the strides of an undefined tensor.
  call.set("strides", tensor.defined() ? sizes_value(tensor.strides()) : sizes_value({1}));
  call.set("device", tensor.defined() ? Value(to_waist(tensor.device())) : Value());
  call.set("numel", tensor.numel());
  call.set("dim", tensor.dim());
  call.set("offset", tensor.defined() ? tensor.storage_offset() : 0);
  call.set("contiguous", tensor.is_contiguous());
  call.set("dense", tensor.is_non_overlapping_and_dense());
  call.set("null", !tensor.has_storage() || tensor.data_ptr() == nullptr);
  call.set("version", tensor.defined() ? static_cast<std::int64_t>(tensor._version()) : 0);
  call.set("requires_grad", tensor.defined() && tensor.requires_grad());
  call.set("leaf", !tensor.defined() || tensor.is_leaf());
}

void core_storage(Call& call) {
  const at::Tensor tensor = call.tensor("tensor");
  const auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.itemsize());
  const at::Tensor whole = tensor.detach().as_strided({elements}, {1}, 0);
  call.set("result", by_value(whole, call.command().digest));
  call.set("offset", tensor.storage_offset());
}

void core_requires_grad_(Call& call) {
  call.tensor("tensor").requires_grad_(call.arguments().boolean("value"));
}

void core_add_(Call& call) {
  const at::Tensor tensor = call.tensor("tensor");
  const auto number = scalar_from(call.arguments().value("other"));
  if (number) return call.result(tensor.add_(*number));
  call.result(tensor.add_(call.tensor("other")));
}

void core_size(Call& call) {
  call.result(Value(call.tensor("tensor").size(call.arguments().integer("dim"))));
}

void core_as_strided(Call& call) {
  c10::optional<std::int64_t> offset;
  if (call.has("offset")) offset = call.arguments().integer("offset");
  call.result(call.tensor("tensor").as_strided(call.arguments().integers("shape"),
                                               call.arguments().integers("strides"), offset));
}

void core_expand(Call& call) {
  call.result(call.tensor("tensor").expand(call.arguments().integers("shape")));
}

void core_detach(Call& call) { call.result(call.tensor("tensor").detach()); }

void core_data_ptr(Call& call) {
  const at::Tensor tensor = call.tensor("tensor");
  const std::string access = call.arguments().text("access", "plain");
  call.set("null", is_null_as<double, float, at::Half, at::BFloat16, std::int64_t, std::int32_t,
                              std::int16_t, std::int8_t, std::uint8_t, bool>(
                       tensor, call.dtype("dtype"), access));
}

void core_empty(Call& call) {
  const std::string device = call.has("device") ? to_text(call.arguments().device("device")) : "";
  if (!device.empty() && device != "cpu" && device != "meta") {
    throw NotSupported("this build of PyTorch makes no tensors on " + device);
  }
  const auto options = at::TensorOptions()
                           .dtype(call.dtype("dtype"))
                           .device(device.empty() ? c10::Device(c10::kCPU) : c10::Device(device));
  call.result(at::empty(call.arguments().integers("shape"), options));
}

void core_to(Call& call) {
  const at::Tensor from = call.tensor("tensor");
  at::TensorOptions options;
  if (const auto dtype = call.dtype_or_none("dtype")) options = options.dtype(*dtype);
  if (call.has("device")) options = options.device(to_torch(call.arguments().device("device")));
  const bool non_blocking = call.arguments().boolean("non_blocking", false);
  const bool copy = call.arguments().boolean("copy", false);
  call.result(from.to(options, non_blocking, copy, format_argument(call)));
}

void core_copy_(Call& call) {
  const at::Tensor dst = call.tensor("dst");
  dst.copy_(call.tensor("src"), call.arguments().boolean("non_blocking", false));
  call.result(dst);
}

void core_fill_(Call& call) {
  const at::Tensor tensor = call.tensor("tensor");
  const Value& value = call.arguments().value("value");
  const auto number = scalar_from(value);
  call.result(number ? tensor.fill_(*number) : tensor.fill_(call.tensor_from(value)));
}

void core_item(Call& call) { call.result(to_waist(call.tensor("tensor").item())); }

}  // namespace assay::libtorch
