// Derives keys from device, dtype and layout.
#include "reference/dispatch/keys/tensor_keys.hpp"

#include <string>

#include "reference/core/types/device.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

using enum Functionality;

std::string text_of(const KeyLayout& layout, DeviceType type) {
  return std::string(name_of(type, layout.release()));
}

/// MAIA is a backend in 2.11 but supports dense tensors only (DSP-202).
bool is_dense_only(DispatchKey key) {
  return key.backend == Backend::kNone || key.backend == Backend::kMAIA;
}

/// The error for a layout that the device does not support (DSP-202).
ErrorKind unsupported_layout() { return ErrorKind::kNotImplemented; }

DispatchKey instance_of(const KeyLayout& layout, Functionality functionality, DeviceType type) {
  const DispatchKey key = key_of(layout, type);
  check(!is_dense_only(key), unsupported_layout(), [&] {
    return "unsupported device type for " + std::string(name_of(functionality)) +
           " layout: " + text_of(layout, type);
  });
  return {functionality, key.backend};
}

DispatchKey strided_key(const KeyLayout& layout, const TensorTraits& traits) {
  const DispatchKey key = key_of(layout, traits.device);
  if (is_dense_only(key) || !is_quantized(traits.dtype)) return key;
  return {kQuantized, key.backend};
}

/// In 1.13 only two devices have it, as plain keys.
DispatchKey compressed_key(const KeyLayout& layout, const TensorTraits& traits) {
  if (layout.release() != Release::k1_13) return instance_of(layout, kSparseCsr, traits.device);
  if (traits.device == DeviceType::kCpu) return kSparseCsrCPU;
  check(traits.device == DeviceType::kCuda, [&] {
    return "unsupported device type for SparseCsr layout: " + text_of(layout, traits.device);
  });
  return kSparseCsrCUDA;
}

DispatchKey mkldnn_key(const KeyLayout& layout, const TensorTraits& traits) {
  check(traits.device == DeviceType::kCpu, unsupported_layout(), [&] {
    return "unsupported device type for mkldnn layout: " + text_of(layout, traits.device);
  });
  return kMkldnnCPU;
}

bool is_registrable(const KeyLayout& layout, DeviceType type) {
  switch (type) {
    case DeviceType::kCpu:
    case DeviceType::kCuda:
    case DeviceType::kIpu:
    case DeviceType::kXla:
    case DeviceType::kLazy:
    case DeviceType::kMps:
    case DeviceType::kMeta:
    case DeviceType::kHip:
    case DeviceType::kOrt:
    case DeviceType::kHpu:
    case DeviceType::kPrivateUse1:
      return true;
    case DeviceType::kXpu:
    case DeviceType::kMtia:
      return layout.release() != Release::k1_13;
    case DeviceType::kVe:
      return false;
    default:
      return false;
  }
}

}  // namespace

DispatchKey key_of(const KeyLayout& layout, DeviceType type) {
  const auto found = layout.find(dispatch_key_of(type, layout.release()));
  check(found.has_value(), ErrorKind::kInternal, [&] {
    return "device type " + text_of(layout, type) + " has no dispatch key in this release";
  });
  return *found;
}

DispatchKey registration_key_of(const KeyLayout& layout, DeviceType type) {
  check(is_registrable(layout, type), [&] {
    return "Device type " + text_of(layout, type) + " cannot be overloaded at dispatch time";
  });
  return key_of(layout, type);
}

DispatchKey backend_key_of(const KeyLayout& layout, const TensorTraits& traits) {
  switch (traits.layout) {
    case KeyLayoutOf::kSparse:
      return instance_of(layout, kSparse, traits.device);
    case KeyLayoutOf::kSparseCsr:
      return compressed_key(layout, traits);
    case KeyLayoutOf::kMkldnn:
      return mkldnn_key(layout, traits);
    default:
      return strided_key(layout, traits);
  }
}

KeySet key_set_of(const KeyLayout& layout, const TensorTraits& traits) {
  const DispatchKey backend = backend_key_of(layout, traits);
  KeySet keys = set_of(layout, backend);
  if (backend.backend != Backend::kNone) {
    keys = keys | set_of(layout, autocast_key_of(layout, backend.backend));
  }
  if (traits.inference) return keys;
  return keys | set_of(layout, {kADInplaceOrView, autograd_key_of(layout, backend)});
}

KeySet key_set_of(const KeyLayout& layout, const Tensor& tensor) {
  if (!tensor.defined()) {
    return set_of(layout, {kADInplaceOrView, kAutogradOther});  // DSP-203
  }
  const TensorImpl& impl = *tensor.impl();
  if (impl.key_set) return {*impl.key_set};
  return key_set_of(layout, {.device = impl.device.type,
                             .dtype = impl.dtype,
                             .layout = impl.sparse ? KeyLayoutOf::kSparse : KeyLayoutOf::kStrided,
                             .inference = impl.inference});
}

KeySet key_set_of(const KeyLayout& layout, const IValue::GeneratorPtr& generator) {
  if (generator == nullptr) return {};
  return set_of(layout, key_of(layout, generator->device.type));
}

}  // namespace assay::reference
