// The dispatch keys of tensors, generators and devices.
#pragma once

#include <cstdint>

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/keys/key_set.hpp"

namespace assay::reference {

/// The layouts that keys distinguish; more than the reference's tensors have.
enum class KeyLayoutOf : std::uint8_t { kStrided, kSparse, kSparseCsr, kMkldnn };

/// The properties of a tensor that determine its keys.
struct TensorTraits {
  DeviceType device = DeviceType::kCpu;
  ScalarType dtype = ScalarType::kFloat;
  KeyLayoutOf layout = KeyLayoutOf::kStrided;
  bool inference = false;
};

/// The key of the device type's dense kernels. Raises `internal` for legacy types.
DispatchKey key_of(const KeyLayout& layout, DeviceType type);
/// The key at which a kernel for the device is registered (DSP-201). Raises `error` for types
/// without one.
DispatchKey registration_key_of(const KeyLayout& layout, DeviceType type);
/// DSP-202. Raises `error` for a layout that the device does not support.
DispatchKey backend_key_of(const KeyLayout& layout, const TensorTraits& traits);

/// All keys of such a tensor: the backend's, ADInplaceOrView and autograd (except for inference
/// tensors), and autocast if the device has it (CORE-14, DSP-203).
KeySet key_set_of(const KeyLayout& layout, const TensorTraits& traits);
/// The undefined tensor has keys as well (DSP-203).
KeySet key_set_of(const KeyLayout& layout, const Tensor& tensor);
/// CORE-18. Empty for an undefined generator.
KeySet key_set_of(const KeyLayout& layout, const IValue::GeneratorPtr& generator);

}  // namespace assay::reference
