// Values of the waist and of the runtime, one made of the other.
#pragma once

#include <optional>
#include <string_view>

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

/// Where tensors live unless somebody says otherwise: `cuda:0`, or the host where devices follow
/// the rules of a build without CUDA.
Device home();
void set_home(Device device);

/// An empty type is where tensors live. The index stays as it is. Raises `error` for a kind that
/// the release does not have.
Device from_waist(const assay::Device& device, Release release);
assay::Device to_waist(Device device, Release release);

/// New tensors, with the strides that the value has. Raise `device` for one that is not there.
Tensor tensor_from(const TensorValue& value, Release release);
Tensor sparse_from(const SparseValue& value, Release release);

struct ValueOptions {
  Release release = Release::k2_11;
  std::uint64_t digest = 0;  ///< elements of a block; 0: the elements themselves
};
/// Waits for the tensor's stream. The undefined tensor is opaque.
Value value_of(const Tensor& tensor, const ValueOptions& options);

Value value_of(const Shape& shape);
Value value_of(const Scalar& scalar);
/// Nothing where the value is no number.
std::optional<Scalar> scalar_from(const Value& value);

}  // namespace assay::cuda
