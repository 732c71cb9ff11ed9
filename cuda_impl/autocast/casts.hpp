// What wrappers do to arguments: which tensors may be cast, what they become, and which type a call
// is promoted to.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autocast {

/// Is a tensor of that kind cast by the device's rules (CAST-202)?
constexpr bool is_kind_of(DeviceKind kind, DeviceKind device) {
  if (device == DeviceKind::kCuda) return kind == DeviceKind::kCuda || kind == DeviceKind::kXla;
  if (device == DeviceKind::kCpu) return kind == DeviceKind::kCpu || kind == DeviceKind::kMkldnn;
  return kind == device;
}

/// CAST-201: may the device's rules cast it? Never an error.
inline bool is_eligible(const Tensor& tensor, DeviceKind device) {
  if (!tensor.defined() || !is_kind_of(tensor->device.kind, device)) return false;
  return facts(tensor->dtype).is_floating && tensor->dtype != Dtype::kFloat64;
}

/// In another type, always anew. Counts one conversion; gradients come back in the type of the
/// source (CAST-209).
Tensor convert(Dtype to, const Tensor& tensor);

namespace detail {
/// Of an eligible tensor of another type: from the cache where it may be there.
Tensor cast(Dtype to, const Tensor& tensor, DeviceKind device);
/// Raises `error` where the two types cannot be decided between.
Dtype decide(Dtype current, const Tensor& tensor, DeviceKind device);
}  // namespace detail

/// The argument as an operator gets it: an eligible tensor of that type, anything else as it is
/// (CAST-204 to CAST-207). Nothing is locked or allocated where no tensor is converted.
inline Tensor cached_cast(Dtype to, const Tensor& tensor, DeviceKind device) {
  if (!is_eligible(tensor, device) || tensor->dtype == to) return tensor;
  return detail::cast(to, tensor, device);
}
inline std::optional<Tensor> cached_cast(Dtype to, const std::optional<Tensor>& tensor,
                                         DeviceKind device) {
  return tensor ? std::optional(cached_cast(to, *tensor, device)) : std::nullopt;
}
std::vector<Tensor> cached_cast(Dtype to, std::span<const Tensor> tensors, DeviceKind device);
inline std::vector<Tensor> cached_cast(Dtype to, const std::vector<Tensor>& tensors,
                                       DeviceKind device) {
  return cached_cast(to, std::span(tensors), device);
}
template <typename T>
T cached_cast(Dtype /*to*/, const T& other, DeviceKind /*device*/) {
  return other;
}

/// The type that promotion goes on with behind this argument (CAST-408 to CAST-411). An optional
/// tensor is none.
inline Dtype prioritize(Dtype current, const Tensor& tensor, DeviceKind device) {
  return detail::decide(current, tensor, device);
}
Dtype prioritize(Dtype current, std::span<const Tensor> tensors, DeviceKind device);
inline Dtype prioritize(Dtype current, const std::vector<Tensor>& tensors, DeviceKind device) {
  return prioritize(current, std::span(tensors), device);
}
template <typename T>
Dtype prioritize(Dtype current, const T& /*other*/, DeviceKind /*device*/) {
  return current;
}

/// Of all arguments, from left to right.
template <typename... Args>
Dtype promote_type(Dtype start, DeviceKind device, const Args&... args) {
  ((start = prioritize(start, args, device)), ...);
  return start;
}

/// CAST-403: an empty dtype is filled. Anything else that a wrapper is given stays as it is.
inline std::optional<Dtype> set_opt_dtype(Dtype to, std::optional<Dtype> dtype) {
  return dtype.value_or(to);
}
template <typename T>
T set_opt_dtype(Dtype /*to*/, const T& other) {
  return other;
}

/// Only the first argument decides (CAST-404).
template <typename... Rest>
bool first_is_eligible(DeviceKind device, const Tensor& first, const Rest&... /*rest*/) {
  return is_eligible(first, device);
}
/// CAST-406, CAST-407
template <typename... Rest>
Dtype type_from_first(DeviceKind device, Dtype to, const Tensor& first, const Rest&... /*rest*/) {
  return is_eligible(first, device) ? to : first.dtype();
}

}  // namespace assay::cuda::autocast
