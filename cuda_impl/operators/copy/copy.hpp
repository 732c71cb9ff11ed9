// Copies and conversions between dtypes, layouts and devices; fills; transfers of elements between
// host and devices and between devices.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

enum class MemoryFormat : std::uint8_t { kPreserve, kContiguous, kChannelsLast };

struct ToOptions {
  std::optional<Dtype> dtype;
  std::optional<Device> device;  ///< must be resolved: a CUDA device has an index
  bool copy = false;
  bool non_blocking = false;
  MemoryFormat format = MemoryFormat::kPreserve;
};

/// CORE-21: returns `tensor` itself if nothing has to change.
Tensor to(const Tensor& tensor, const ToOptions& options, const Contract& contract = {});
/// Returns `tensor` itself if it has the dtype.
Tensor to(const Tensor& tensor, Dtype dtype);
/// Returns `tensor` itself if it is contiguous.
Tensor contiguous(const Tensor& tensor);
/// Returns a copy with its own memory; dense strides are preserved.
Tensor clone(const Tensor& tensor);

/// Returns a copy in pinned memory, or `tensor` itself if it is pinned (MEM-028). Raises `error`
/// for a device tensor.
Tensor pinned(const Tensor& tensor);

/// Returns `read`, or a copy of it if it may overlap `written` at other positions, so that the
/// result does not depend on the order of the writes.
Tensor read_before(const Tensor& written, const Tensor& read);

struct CopyOptions {
  bool non_blocking = false;
  Contract contract;
};

/// Broadcasts and converts `source`. Raises if elements of `target` share memory with each other or
/// with elements still to be read (CORE-21). Counts one version of `target` and one copy.
void copy_(const Tensor& target, const Tensor& source, const CopyOptions& options = {});

/// Both must have the same sizes; dtypes, strides and devices are arbitrary. Makes no checks and
/// counts no version, but one copy. A copy to the host is complete on return, unless non_blocking.
void copy_elements(const Tensor& target, const Tensor& source, bool non_blocking = false);

/// Raises `error` for a number out of the dtype's range (CORE-07). Counts one version. Permits
/// elements that share memory.
void fill_(const Tensor& tensor, const Scalar& value, const Contract& contract = {});

/// Without checks or a version. `element` has the bytes that `to_element` returns.
void fill_elements(const Tensor& tensor, const Element& element);

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

/// Process-wide: the warning is given once, and again after this is reset to false.
std::atomic<bool>& has_warned_of_imaginary_parts();

}  // namespace assay::cuda
