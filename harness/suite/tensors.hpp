// Tensors by value, as test authors write them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

#include "harness/protocol/value.hpp"

namespace assay {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A tensor of one dimension. Each value must be exact in the type: a rounding here would hide one
/// in the subject, so it throws std::invalid_argument instead.
TensorValue tensor_of(Dtype dtype, const std::vector<double>& values);
inline TensorValue f64(const std::vector<double>& v) { return tensor_of(Dtype::kFloat64, v); }
inline TensorValue f32(const std::vector<double>& v) { return tensor_of(Dtype::kFloat32, v); }
inline TensorValue f16(const std::vector<double>& v) { return tensor_of(Dtype::kFloat16, v); }
inline TensorValue bf16(const std::vector<double>& v) { return tensor_of(Dtype::kBfloat16, v); }
inline TensorValue i32(const std::vector<double>& v) { return tensor_of(Dtype::kInt32, v); }
inline TensorValue i64(const std::vector<double>& v) { return tensor_of(Dtype::kInt64, v); }
inline TensorValue boolean(const std::vector<double>& v) { return tensor_of(Dtype::kBool, v); }

/// The same by bits, of any type whose values cross the waist.
TensorValue from_bits(Dtype dtype, const std::vector<std::uint64_t>& bits);

/// 0-dim tensors.
TensorValue scalar_of(Dtype dtype, double value);
TensorValue scalar_bits(Dtype dtype, std::uint64_t bits);

/// `numel` elements of one value, or by recipe.
TensorValue filled(Dtype dtype, std::int64_t numel, double value);
TensorValue by_recipe(Dtype dtype, std::int64_t numel, Recipe recipe);

/// The same elements in another shape, on another device, with strides.
TensorValue shaped(TensorValue tensor, std::vector<std::int64_t> shape);
TensorValue on(TensorValue tensor, Device device);
TensorValue strided(TensorValue tensor, std::vector<std::int64_t> strides);

/// Bits of `value` in `dtype`; throws std::invalid_argument when it is not exact there.
std::uint64_t exact_bits(Dtype dtype, double value);

}  // namespace assay
