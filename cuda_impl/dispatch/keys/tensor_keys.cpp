// Computes the keys of tensors from device, dtype and layout.
#include "cuda_impl/dispatch/keys/tensor_keys.hpp"

#include <array>
#include <utility>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

/// The backend component of a device's keys; kNone for devices without one.
constexpr std::array<std::pair<DeviceKind, Backend>, 14> kComponents = {{
    {DeviceKind::kCpu, Backend::kCpu},
    {DeviceKind::kCuda, Backend::kCuda},
    {DeviceKind::kHip, Backend::kHip},
    {DeviceKind::kXla, Backend::kXla},
    {DeviceKind::kMps, Backend::kMps},
    {DeviceKind::kIpu, Backend::kIpu},
    {DeviceKind::kXpu, Backend::kXpu},
    {DeviceKind::kHpu, Backend::kHpu},
    {DeviceKind::kVe, Backend::kVe},
    {DeviceKind::kLazy, Backend::kLazy},
    {DeviceKind::kMtia, Backend::kMtia},
    {DeviceKind::kMaia, Backend::kMaia},
    {DeviceKind::kPrivateUse1, Backend::kPrivateUse1},
    {DeviceKind::kMeta, Backend::kMeta},
}};

Backend component_of(const Layout& layout, DeviceKind device) {
  for (const auto& [kind, backend] : kComponents) {
    if (kind == device) return layout.has(Key(backend)) ? backend : Backend::kNone;
  }
  return Backend::kNone;
}

std::string device_text(const Layout& layout, DeviceKind device) {
  return std::string(name_of(device, layout.release()));
}

/// Returns the device's key for plain strided tensors. Raises an error if there is none.
Key dense_key(const Layout& layout, DeviceKind device) {
  const Backend component = component_of(layout, device);
  if (component != Backend::kNone) return component;
  switch (device) {
    case DeviceKind::kFpga:
      return kFpga;
    case DeviceKind::kVulkan:
      return kVulkan;
    case DeviceKind::kMetal:
      return kMetal;
    case DeviceKind::kMaia:
      return layout.release() == Release::k1_13 ? kOrt : kMaia;
    default:
      throw Error(error_without_key(device, layout.release()),
                  "device type " + device_text(layout, device) + " has no dispatch key");
  }
}

/// The component of devices with quantized and sparse tensors: all but MAIA.
Backend full_component(const Layout& layout, DeviceKind device) {
  return device == DeviceKind::kMaia ? Backend::kNone : component_of(layout, device);
}

Key sparse_key(const Layout& layout, DeviceKind device) {
  const Backend component = full_component(layout, device);
  require(component != Backend::kNone, ErrorKind::kNotImplemented, [&] {
    return "Unsupported device type for sparse layout: " + device_text(layout, device);
  });
  return {kSparse, component};
}

Key compressed_key(const Layout& layout, DeviceKind device) {
  const bool is_old = layout.release() == Release::k1_13;
  if (is_old && device == DeviceKind::kCpu) return kSparseCsrCpu;
  if (is_old && device == DeviceKind::kCuda) return kSparseCsrCuda;
  const Backend component = is_old ? Backend::kNone : full_component(layout, device);
  require(component != Backend::kNone, is_old ? ErrorKind::kError : ErrorKind::kNotImplemented,
          [&] {
            return "Unsupported device type for SparseCsr layout: " + device_text(layout, device);
          });
  return {kSparseCsr, component};
}

Key mkldnn_key(const Layout& layout, DeviceKind device) {
  require(device == DeviceKind::kCpu, ErrorKind::kNotImplemented, [&] {
    return "Unsupported device type for mkldnn layout: " + device_text(layout, device);
  });
  return kMkldnnCpu;
}

/// DSP-203: empty if the release has no such key.
KeySet autocast_keys(const Layout& layout, Backend backend) {
  using Pair = std::pair<Backend, Functionality>;
  static constexpr std::array<Pair, 10> kKeys = {{{Backend::kCpu, kAutocastCpu},
                                                  {Backend::kCuda, kAutocastCuda},
                                                  {Backend::kXpu, kAutocastXpu},
                                                  {Backend::kIpu, kAutocastIpu},
                                                  {Backend::kHpu, kAutocastHpu},
                                                  {Backend::kXla, kAutocastXla},
                                                  {Backend::kMps, kAutocastMps},
                                                  {Backend::kMtia, kAutocastMtia},
                                                  {Backend::kMaia, kAutocastMaia},
                                                  {Backend::kPrivateUse1, kAutocastPrivateUse1}}};
  const bool is_xla = backend == Backend::kXla && layout.release() == Release::k1_13;
  for (const auto& [known, key] : kKeys) {
    if (known != (is_xla ? Backend::kCuda : backend)) continue;
    if (layout.has(Key(key))) return layout.set_of(key);
  }
  return {};
}

}  // namespace

Key registration_key(const Layout& layout, DeviceKind device) {
  const bool is_xpu_then = device == DeviceKind::kXpu && layout.release() == Release::k1_13;
  const bool is_backend = component_of(layout, device) != Backend::kNone;
  const bool is_known =
      (is_backend || device == DeviceKind::kMaia) && device != DeviceKind::kVe && !is_xpu_then;
  require(is_known, [&] {
    return "Device type " + device_text(layout, device) +
           " cannot be overloaded at dispatch time, please file a bug report explaining what you "
           "were trying to do.";
  });
  return dense_key(layout, device);
}

Key backend_key(const Layout& layout, const TensorTraits& traits) {
  switch (traits.layout) {
    case TensorLayout::kSparse:
      return sparse_key(layout, traits.device);
    case TensorLayout::kSparseCsr:
      return compressed_key(layout, traits.device);
    case TensorLayout::kMkldnn:
      return mkldnn_key(layout, traits.device);
    case TensorLayout::kStrided:
      break;
  }
  const Backend component = full_component(layout, traits.device);
  const bool is_quantized = component != Backend::kNone && facts(traits.dtype).is_quantized;
  return is_quantized ? Key(kQuantized, component) : dense_key(layout, traits.device);
}

KeySet key_set_of(const Layout& layout, const TensorTraits& traits) {
  const Key key = backend_key(layout, traits);
  const KeySet own = layout.set_of(key) | autocast_keys(layout, key.backend);
  if (traits.is_inference) return own;
  return own | layout.set_of({Key(kADInplaceOrView), layout.autograd_of(key)});
}

KeySet generator_keys(const Layout& layout, DeviceKind device) {
  return layout.set_of(dense_key(layout, device));
}

KeySet keys_of(const Layout& layout, const Tensor& tensor) {
  const KeySet word = key_word(layout, tensor);
  if ((word.bits & kUnknownKeys) == 0) return word;
  const TensorTraits traits{
      .device = tensor->device.kind,
      .dtype = tensor.dtype(),
      .layout = tensor.is_sparse() ? TensorLayout::kSparse : TensorLayout::kStrided,
      .is_inference = tensor->is_inference};
  const KeySet keys = key_set_of(layout, traits);
  set_keys(tensor, keys);
  return keys;
}

void set_keys(const Tensor& tensor, KeySet keys) {
  tensor->keys.store(keys.bits, std::memory_order_relaxed);
}

}  // namespace assay::cuda::dispatch
