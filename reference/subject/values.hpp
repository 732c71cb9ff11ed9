// Values of the waist and of the reference, one made of the other.
#pragma once

#include <optional>

#include "harness/protocol/message.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

ScalarType to_reference(assay::Dtype dtype);
assay::Dtype to_protocol(ScalarType type);

/// An empty type means `runtime.home()`. The index stays as it is. Raises `error` for a type that
/// no device has.
Device to_reference(const Runtime& runtime, const assay::Device& device);
assay::Device to_protocol(const Runtime& runtime, Device device);

assay::ErrorKind to_protocol(ErrorKind kind);
Contract to_reference(const assay::Contract& contract);
assay::Contract to_protocol(const Contract& contract);

/// A new tensor with the strides that the value has; recipes are materialised.
Tensor to_reference(Runtime& runtime, const TensorValue& value);
Tensor to_reference(Runtime& runtime, const SparseValue& value);

/// By value. `digest` is the size of a block, or 0 for the elements themselves. The undefined
/// tensor is opaque.
Value to_protocol(const Runtime& runtime, const Tensor& tensor, std::uint64_t digest = 0);

Value to_protocol(const Shape& shape);

/// Nothing when the value is no number.
std::optional<Scalar> scalar_from(const Value& value);
Value to_protocol(const Scalar& scalar);

}  // namespace assay::reference
