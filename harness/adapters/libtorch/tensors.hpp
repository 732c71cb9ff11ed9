// Dtypes, devices and tensors of the waist as PyTorch's, and back.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>

#include <optional>
#include <string>

#include "harness/protocol/value.hpp"

namespace assay::libtorch {

/// Throws NotSupported where this PyTorch has no such type.
at::ScalarType to_torch(Dtype dtype);
Dtype to_waist(at::ScalarType type);

c10::Device to_torch(const Device& device);
Device to_waist(const c10::Device& device);
/// By its lower-case name. Throws NotSupported where this PyTorch has no such type.
c10::DeviceType device_type_named(const std::string& name);

/// A tensor on the CPU; no operator is called for it, whatever this thread's keys are.
at::Tensor tensor_of(const TensorValue& value);
/// What has no data here is opaque.
Value by_value(const at::Tensor& tensor, std::uint64_t digest);

/// Nothing when the value is not a number.
std::optional<at::Scalar> scalar_from(const Value& value);
Value to_waist(const at::Scalar& scalar);

}  // namespace assay::libtorch
