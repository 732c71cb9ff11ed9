// What a thread has made its current stream, on each device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace assay::cuda {

/// A stream's id, and what the driver knows it by.
struct StreamHere {
  /// Finds the handle of a stream at its first use; raises for an id that stands for nothing.
  using Resolve = cudaStream_t (*)(int device, std::int64_t id);

  std::int64_t id = 0;
  cudaStream_t handle = nullptr;
  Resolve resolve = nullptr;  ///< null: the handle is known
};

/// The legacy default stream (id 0) unless another was made current. Makes no call.
StreamHere stream_on(int device);
void set_stream_on(int device, StreamHere stream);
/// Default streams everywhere, for the calling thread.
void forget_current_streams();

/// The handle of the calling thread's current stream on its current device. Asks for that device
/// only where the thread has ever made a stream current.
cudaStream_t current_stream();
/// The same on a device that need not be current. Makes no call once the handle is known.
cudaStream_t current_stream_on(int device);

/// Makes a stream of the current device the calling thread's current one there, for as long as it
/// lives. Ends on the thread that it began on, the last one first.
class StreamScope {
 public:
  /// As an external stream: its id is its handle (STR-011).
  explicit StreamScope(cudaStream_t stream);
  explicit StreamScope(StreamHere stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  int device_;
  StreamHere before_;
};

}  // namespace assay::cuda
