// Conversions between protocol values and objects of the reference.
#pragma once

#include <optional>

#include "harness/protocol/message.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

ScalarType to_reference(assay::Dtype dtype);
assay::Dtype to_protocol(ScalarType type);

/// An empty type means `runtime.home()`. Keeps
/// the index. Raises `error` for an unknown type.
Device to_reference(const Runtime& runtime, const assay::Device& device);
assay::Device to_protocol(const Runtime& runtime, Device device);

assay::ErrorKind to_protocol(ErrorKind kind);
Contract to_reference(const assay::Contract& contract);
assay::Contract to_protocol(const Contract& contract);

/// Creates a tensor with the strides of the value; recipes are expanded.
Tensor to_reference(Runtime& runtime, const TensorValue& value);
Tensor to_reference(Runtime& runtime, const SparseValue& value);

/// Returns the value. `digest` is a block size; with 0, the elements are included. An undefined
/// tensor becomes opaque.
Value to_protocol(const Runtime& runtime, const Tensor& tensor, std::uint64_t digest = 0);

Value to_protocol(const Shape& shape);

/// Empty if the value is not a number.
std::optional<Scalar> scalar_from(const Value& value);
Value to_protocol(const Scalar& scalar);

}  // namespace assay::reference
