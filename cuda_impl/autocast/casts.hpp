// Argument casts in autocast wrappers: which tensors are eligible, what they are cast to, and the
// promoted type of a call.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autocast {

/// Returns whether the device's rules apply to tensors of that kind (CAST-202).
constexpr bool is_kind_of(DeviceKind kind, DeviceKind device) {
  if (device == DeviceKind::kCuda) return kind == DeviceKind::kCuda || kind == DeviceKind::kXla;
  if (device == DeviceKind::kCpu) return kind == DeviceKind::kCpu || kind == DeviceKind::kMkldnn;
  return kind == device;
}

/// Returns whether the dtype is floating, but not float64. Each call asks, so the answer is a
/// constant.
constexpr bool is_cast_type(Dtype dtype) {
  using enum Dtype;
  constexpr std::uint64_t kTypes = [] {
    std::uint64_t bits = 0;
    for (const Dtype one : {kFloat16, kFloat32, kBFloat16, kFloat8E5m2, kFloat8E4m3fn,
                            kFloat8E5m2fnuz, kFloat8E4m3fnuz}) {
      bits |= std::uint64_t{1} << static_cast<unsigned>(one);
    }
    return bits;
  }();
  return (kTypes >> static_cast<unsigned>(dtype) & 1U) != 0;
}

/// CAST-201: returns whether the device's rules may cast the tensor. Never raises.
inline bool is_eligible(const Tensor& tensor, DeviceKind device) {
  if (!tensor.defined() || !is_kind_of(tensor->device.kind, device)) return false;
  return is_cast_type(tensor->dtype);
}

/// Returns a new tensor of the given dtype, and counts no conversion; gradients are converted back
/// to the dtype of the source (CAST-209).
Tensor convert(Dtype to, const Tensor& tensor);

namespace detail {
/// For an eligible tensor of another dtype: uses the weight cache if that is permitted.
Tensor cast(Dtype to, const Tensor& tensor, DeviceKind device);
/// Raises `error` if neither of the two types takes precedence.
Dtype decide(Dtype current, const Tensor& tensor, DeviceKind device);
}  // namespace detail

/// Casts an eligible tensor and returns any other argument unchanged (CAST-204 to CAST-207). Takes
/// no lock and allocates nothing unless a tensor is converted.
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

/// Returns the promoted type after this argument (CAST-408 to CAST-411). An optional tensor does
/// not count as a tensor.
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

/// Promotes over all arguments, from left to right.
template <typename... Args>
Dtype promote_type(Dtype start, DeviceKind device, const Args&... args) {
  ((start = prioritize(start, args, device)), ...);
  return start;
}

/// CAST-403: replaces an absent dtype. Any other argument is returned unchanged.
inline std::optional<Dtype> set_opt_dtype(Dtype to, std::optional<Dtype> dtype) {
  return dtype.value_or(to);
}
template <typename T>
T set_opt_dtype(Dtype /*to*/, const T& other) {
  return other;
}

/// Tests the first argument only (CAST-404).
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
