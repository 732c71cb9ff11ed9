// CPU conversions, which preserve more bits of NaN than a device does.
#include <cmath>

#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/operators/host/on_host.hpp"

namespace assay::cuda::on_host {
namespace {

/// CAST-905, software case; NaN in a contiguous bfloat16 tensor becomes all ones.
template <typename To>
To narrow_nan(float value, bool is_row) {
  if constexpr (std::is_same_v<To, Half>) {
    return __ushort_as_half(std::signbit(value) ? 0xfe00 : 0x7e00);
  } else {
    return __ushort_as_bfloat16(is_row ? 0xffff : 0x7fc0);
  }
}

/// CAST-906: keeps sign and payload and makes the NaN quiet.
inline float widen_nan(Half value) {
  std::uint16_t narrow;
  std::memcpy(&narrow, &value, sizeof narrow);
  const auto sign = static_cast<std::uint32_t>(narrow & 0x8000u) << 16;
  const std::uint32_t bits = sign | 0x7fc00000u | static_cast<std::uint32_t>(narrow & 0x3ffu) << 13;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

template <typename To, typename From>
To converted(From value, bool is_row) {
  if constexpr (std::is_same_v<From, Half> && !std::is_same_v<To, Half>) {
    const float wide = to_float(value);
    return converted<To>(std::isnan(wide) ? widen_nan(value) : wide, is_row);
  } else if constexpr (std::is_same_v<From, BFloat16> && !std::is_same_v<To, BFloat16>) {
    return converted<To>(to_float(value), is_row);
  } else if constexpr (kIsHalf<To> && std::is_floating_point_v<From>) {
    const auto single = static_cast<float>(value);
    return std::isnan(single) ? narrow_nan<To>(single, is_row) : from_float<To>(single);
  } else {
    return convert<To>(value);
  }
}

template <typename To, typename From>
void cast_as(const CastTask& task) {
  const bool is_row = are_rows(task.geometry);
  auto* to = static_cast<To*>(task.addresses.out);
  const auto* from = static_cast<const From*>(task.addresses.left);
  walk(task.geometry,
       [&](const Offsets<3>& at) { to[at.of[0]] = converted<To>(from[at.of[1]], is_row); });
}

/// Copies elements of equal dtype as bytes.
void copy(void* out, const void* in, std::size_t element, const Geometry<3>& geometry) {
  auto* to = static_cast<std::byte*>(out);
  const auto* from = static_cast<const std::byte*>(in);
  const auto bytes = static_cast<std::int64_t>(element);
  walk(geometry, [&](const Offsets<3>& at) {
    std::memcpy(to + at.of[0] * bytes, from + at.of[1] * bytes, element);
  });
}

}  // namespace

void cast(const CastTask& task) {
  if (task.to == task.from) {
    return copy(task.addresses.out, task.addresses.left, size_bytes(task.to), task.geometry);
  }
  visit_stored(task.to, [&](auto to) {
    visit_stored(task.from,
                 [&](auto from) { cast_as<Tagged<decltype(to)>, Tagged<decltype(from)>>(task); });
  });
}

void fill(const FillTask& task) {
  auto* to = static_cast<std::byte*>(task.out);
  const auto bytes = static_cast<std::int64_t>(task.element_bytes);
  walk(task.geometry, [&](const Offsets<3>& at) {
    std::memcpy(to + at.of[0] * bytes, task.element, task.element_bytes);
  });
}

}  // namespace assay::cuda::on_host
