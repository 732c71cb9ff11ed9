// Converts dtypes, devices and tensors of the protocol to PyTorch's and back.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>

#include <optional>
#include <string>

#include "harness/protocol/value.hpp"

namespace assay::libtorch {

/// Throws NotSupported if this PyTorch lacks the type.
at::ScalarType to_torch(Dtype dtype);
Dtype to_waist(at::ScalarType type);

c10::Device to_torch(const Device& device);
Device to_waist(const c10::Device& device);
/// By its lower-case name. Throws NotSupported if this PyTorch lacks the type.
c10::DeviceType device_type_named(const std::string& name);

/// A CPU tensor, created without calling operators, independent of this thread's keys.
at::Tensor tensor_of(const TensorValue& value);
/// A tensor without data is opaque.
Value by_value(const at::Tensor& tensor, std::uint64_t digest);

/// Nothing if the value is not a number.
std::optional<at::Scalar> scalar_from(const Value& value);
Value to_waist(const at::Scalar& scalar);

}  // namespace assay::libtorch
