// The key set that a tensor, a generator or a device brings into a call.
#pragma once

#include <cstdint>

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/keys/key_set.hpp"

namespace assay::reference {

/// Layouts as keys tell them apart; more than tensors of the reference have.
enum class KeyLayoutOf : std::uint8_t { kStrided, kSparse, kSparseCsr, kMkldnn };

/// What a tensor is made of, as far as its keys are concerned.
struct TensorTraits {
  DeviceType device = DeviceType::kCpu;
  ScalarType dtype = ScalarType::kFloat;
  KeyLayoutOf layout = KeyLayoutOf::kStrided;
  bool inference = false;
};

/// The key of the device type's own kernels. Raises `internal` for legacy types.
DispatchKey key_of(const KeyLayout& layout, DeviceType type);
/// Where its kernel is stored that is registered for a device (DSP-201). Raises `error` for types
/// that cannot be.
DispatchKey registration_key_of(const KeyLayout& layout, DeviceType type);
/// DSP-202. Raises `error` for a layout that the device does not have.
DispatchKey backend_key_of(const KeyLayout& layout, const TensorTraits& traits);

/// All keys of such a tensor: its backend's, ADInplaceOrView and autograd unless it is an inference
/// tensor, autocast where there is one (CORE-14, DSP-203).
KeySet key_set_of(const KeyLayout& layout, const TensorTraits& traits);
/// The undefined tensor has keys too (DSP-203).
KeySet key_set_of(const KeyLayout& layout, const Tensor& tensor);
/// CORE-18. Empty for the undefined generator.
KeySet key_set_of(const KeyLayout& layout, const IValue::GeneratorPtr& generator);

}  // namespace assay::reference
