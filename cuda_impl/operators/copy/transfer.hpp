// Transfers of elements between host and devices and between devices.
#pragma once

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Returns whether both have the same dtype and the same dense layout.
bool has_same_layout(const Tensor& a, const Tensor& b);

/// Copies the bytes of `source` to a tensor with the same layout, after the present work of both
/// devices' current streams. A pageable host source has been read on return; for a host target the
/// caller must wait.
void transfer(const Tensor& target, const Tensor& source);

/// A copy between two devices.
struct PeerCopy {
  void* target;
  int target_device;
  const void* source;
  int source_device;
  std::size_t size_bytes;
};
/// Like `transfer`, for plain memory. Neither allocates nor waits.
void transfer(const PeerCopy& copy);

/// CAP-004: since 2.11, rejects a copy between a device and pageable host memory before it would
/// invalidate the capture. Raises `error`.
void refuse_in_capture(const Tensor& target, const Tensor& source, Release release);

/// Returns whether devices can access its memory directly (MEM-028).
bool is_pinned(const Tensor& tensor);
/// Records an asynchronous copy, so that the pinned host memory is not reused before it ends.
void note_use_of_pinned(const Tensor& on_host, const Tensor& on_device);

/// Waits for the present work of the current stream of the tensor's device.
void wait_for(const Tensor& on_device);

}  // namespace assay::cuda
