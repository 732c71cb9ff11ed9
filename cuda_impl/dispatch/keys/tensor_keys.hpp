// The keys that tensors and generators bring to a call (DSP-202, DSP-203).
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

/// DSP-201. Raises `error` for a device that no kernel can be registered for.
Key registration_key(const Layout& layout, DeviceKind device);
/// DSP-202. Raises `not_implemented` for a layout that the device lacks, or `error`.
Key backend_key(const Layout& layout, const TensorTraits& traits);
KeySet key_set_of(const Layout& layout, const TensorTraits& traits);
/// CORE-18
KeySet generator_keys(const Layout& layout, DeviceKind device);

/// Reads the word of the tensor; the first time it is worked out, and written there.
KeySet keys_of(const Layout& layout, const Tensor& tensor);
void set_keys(const Tensor& tensor, KeySet keys);

/// Of the undefined tensor, in every release.
inline constexpr KeySet kUndefinedKeys{0x0000001800000000};

/// What a call reads: `kUnknownKeys` is among the bits where the word is not there yet.
inline KeySet key_word(const Tensor& tensor) {
  const TensorBody* body = tensor.operator->();
  return body == nullptr ? kUndefinedKeys : KeySet{body->keys.load(std::memory_order_relaxed)};
}

}  // namespace assay::cuda::dispatch
