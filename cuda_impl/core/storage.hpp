// The memory of tensors: a block of device memory or host memory. The allocation interface of
// device memory and pinned host memory for the other parts; the allocators are in memory/.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

/// A stream handle with its device. Default streams have the same handle on every device.
struct StreamUse {
  int device = 0;
  cudaStream_t handle = nullptr;
  bool operator==(const StreamUse&) const = default;
};

/// Returns the calling thread's current stream of a device. No runtime call once it is known.
inline StreamUse current_use(int device) { return {device, current_stream_on(device)}; }

/// An address and the allocator's block. Both are null for an allocation of 0 bytes.
struct AllocatedMemory {
  std::byte* data = nullptr;
  void* block = nullptr;
};

/// Allocates for the calling thread's current stream of the device, which may use the memory at
/// once (MEM-022). Raises `out_of_memory`.
AllocatedMemory allocate_device_memory(int device, std::size_t size_bytes);
/// Records a use by another stream: after it is freed, the memory is not reused before that stream
/// has finished the work that it has at that time (MEM-006).
void note_device_use(const AllocatedMemory& allocated, StreamUse use);
/// Frees the memory. Never waits; a failure becomes a warning.
void free_device_memory(const AllocatedMemory& allocated) noexcept;

/// The same for pinned host memory, which devices can access directly (MEM-028).
AllocatedMemory allocate_pinned_memory(std::size_t size_bytes);
void note_pinned_use(const AllocatedMemory& allocated, StreamUse use);
void free_pinned_memory(const AllocatedMemory& allocated) noexcept;

/// A separate pool for allocations during captures (MEM-023). Its memory returns to the driver when
/// the pool has no owner and none of its blocks is in use.
class CapturePool;
std::shared_ptr<CapturePool> make_capture_pool();

/// Declares that the stream, and streams that join it, are capturing. A null pool selects the one
/// that was assigned to the stream before, if any.
void capture_begins(StreamUse stream, std::shared_ptr<CapturePool> pool);
/// Whether a capture of the device is under way that allocates from the pool.
bool is_captured_into(const CapturePool& pool, int device);
/// Does nothing if the stream has no such capture.
void capture_ends(StreamUse stream) noexcept;

/// For the scope, lets the calling thread make runtime calls that would invalidate a capture.
class RelaxedCapture {
 public:
  RelaxedCapture();
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Owns its memory. Device memory belongs to the stream that was current at construction and is
/// returned to that stream; neither operation waits for the device (MEM-004).
class Storage {
 public:
  /// Allocates nothing for 0 bytes or a meta device. Raises `out_of_memory`.
  Storage(Device device, std::size_t size_bytes);
  /// Returns pinned host memory, which devices can access directly (MEM-028).
  static std::shared_ptr<Storage> pinned(std::size_t size_bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  Device device() const { return device_; }
  std::size_t size_bytes() const { return size_bytes_; }
  /// A device address for device memory; null if nothing was allocated.
  std::byte* data() const { return memory_.data; }
  bool is_pinned() const { return device_.is_cpu() && memory_.block != nullptr; }

  /// Records that another stream uses the memory (for pinned memory: any stream). When the storage
  /// is destroyed, the memory is not reused until that stream has finished the work that it has
  /// then. Does nothing for pageable host memory.
  void note_use(StreamUse stream) const;

 private:
  struct Pinned {};
  Storage(Pinned, std::size_t size_bytes);

  Device device_;
  std::size_t size_bytes_;
  AllocatedMemory memory_;  ///< without a block if it is pageable host memory
};

}  // namespace assay::cuda
