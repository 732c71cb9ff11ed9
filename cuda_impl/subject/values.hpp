// Conversions between protocol values and runtime values.
#pragma once

#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "harness/protocol/message.hpp"

namespace assay::cuda {

Dtype from_waist(assay::Dtype dtype);
assay::Dtype to_waist(Dtype dtype);
ErrorKind from_waist(assay::ErrorKind kind);
assay::ErrorKind to_waist(ErrorKind kind);
Release from_waist(assay::Release release);
assay::Release to_waist(Release release);

/// The default device of tensors: `cuda:0`, or the CPU under the device rules of a build without
/// CUDA.
Device home();
void set_home(Device device);

/// An empty type means the default device. Keeps the index. Raises `error` for a type that the
/// release lacks.
Device from_waist(const assay::Device& device, Release release);
assay::Device to_waist(Device device, Release release);

/// Create tensors with the strides of the value. Raise `device` for an unknown device.
Tensor tensor_from(const TensorValue& value, Release release);
Tensor sparse_from(const SparseValue& value, Release release);

struct ValueOptions {
  Release release = kNewestRelease;
  std::uint64_t digest = 0;  ///< elements of a digest block; 0: send the elements
};
/// Waits for the tensor's stream. The undefined tensor becomes opaque.
Value value_of(const Tensor& tensor, const ValueOptions& options);

Value value_of(const Shape& shape);
Value value_of(const Scalar& scalar);
/// Empty if the value is not a number.
std::optional<Scalar> scalar_from(const Value& value);

}  // namespace assay::cuda
