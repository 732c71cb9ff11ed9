// Memory of devices, and pinned memory of the host, as the rest of the implementation asks for it.
// The allocators that it comes from are in memory/.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "cuda_impl/core/device/current_stream.hpp"

namespace assay::cuda {

/// A queue of work, as the driver knows it. Default streams have one handle on every device.
struct StreamUse {
  int device = 0;
  cudaStream_t handle = nullptr;
  bool operator==(const StreamUse&) const = default;
};

/// The calling thread's current stream of a device. Makes no call once its handle is known.
inline StreamUse current_use(int device) { return {device, current_stream_on(device)}; }

/// An address, and what its allocator knows it by. Null for no bytes.
struct LentMemory {
  std::byte* data = nullptr;
  void* block = nullptr;
};

/// For the calling thread's current stream of the device, which may use it at once (MEM-022).
/// Raises `out_of_memory`.
LentMemory lend_device_memory(int device, std::size_t size_bytes);
/// Another stream uses it as well: it is given to nobody before that stream has done what it has to
/// do when the memory is taken back (MEM-006).
void note_device_use(const LentMemory& lent, StreamUse use);
/// Never waits. A failure becomes a warning.
void take_back_device_memory(const LentMemory& lent) noexcept;

/// The same for memory of the host that devices copy from and to by themselves (MEM-028).
LentMemory lend_pinned_memory(std::size_t size_bytes);
void note_pinned_use(const LentMemory& lent, StreamUse use);
void take_back_pinned_memory(const LentMemory& lent) noexcept;

/// A pool of its own for what is allocated in captures (MEM-023). Its memory goes back to the
/// driver when nobody owns the pool and none of its blocks is in use.
class CapturePool;
std::shared_ptr<CapturePool> make_capture_pool();

/// Work of that stream, and of those that join it, is captured from now on. Without a pool of its
/// own the capture has the one that the stream was given, if any.
void capture_begins(StreamUse stream, std::shared_ptr<CapturePool> pool);
/// Harmless where there is no such capture.
void capture_ends(StreamUse stream) noexcept;

/// Lets calls through that would spoil a capture, on the calling thread, as long as it lives.
class RelaxedCapture {
 public:
  RelaxedCapture();
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace assay::cuda
