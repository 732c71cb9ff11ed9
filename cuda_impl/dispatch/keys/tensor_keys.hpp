// The dispatch keys of tensors and generators (DSP-202, DSP-203).
#pragma once

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"

namespace assay::cuda::dispatch {

enum class TensorLayout : std::uint8_t { kStrided, kSparse, kSparseCsr, kMkldnn };

struct TensorTraits {
  DeviceKind device = DeviceKind::kCpu;
  Dtype dtype = Dtype::kFloat32;
  TensorLayout layout = TensorLayout::kStrided;
  bool is_inference = false;
};

/// DSP-201. Raises `error` if kernels cannot be registered for the device.
Key registration_key(const Layout& layout, DeviceKind device);
/// DSP-202. Raises `not_implemented` for a layout that the device does not support, or `error`.
Key backend_key(const Layout& layout, const TensorTraits& traits);
KeySet key_set_of(const Layout& layout, const TensorTraits& traits);
/// CORE-18
KeySet generator_keys(const Layout& layout, DeviceKind device);

/// Returns the tensor's cached keys; computes and caches them at the first call.
KeySet keys_of(const Layout& layout, const Tensor& tensor);
void set_keys(const Tensor& tensor, KeySet keys);

/// Reads the cached keys without computing them; contains `kUnknownKeys` if they are missing.
inline KeySet key_word(const Layout& layout, const Tensor& tensor) {
  const TensorBody* body = tensor.body().get();
  if (body == nullptr) [[unlikely]]
    return layout.undefined_tensor();
  return {body->keys.load(std::memory_order_relaxed)};
}

}  // namespace assay::cuda::dispatch
