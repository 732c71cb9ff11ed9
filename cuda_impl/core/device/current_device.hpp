// The calling thread's current CUDA device, and its current stream on each device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

namespace assay::cuda {

/// Returns the runtime's current device, or the deferred one. Raises `device`.
int current_device();
/// Makes a device current; no call if it already is. Raises `device` for an unknown index.
void set_current_device(int index);
/// Like `set_current_device`; returns the previous device.
int exchange_current_device(int index);
/// Restores a previous device. To avoid creating a context, a device that has none is only
/// recorded, and set by the next call that needs it (GRD-009; not in 1.13).
cudaError_t restore_current_device(int index) noexcept;
/// Discards the calling thread's deferred device.
void forget_remembered_device();

/// A stream's id and its driver handle.
struct StreamHere {
  /// Looks up a stream's handle at its first use; raises for an invalid id.
  using Resolve = cudaStream_t (*)(int device, std::int64_t id);

  std::int64_t id = 0;
  cudaStream_t handle = nullptr;
  Resolve resolve = nullptr;  ///< null once the handle is known
};

/// Returns the legacy default stream (id 0) if none was set. Makes no runtime call.
StreamHere stream_on(int device);
void set_stream_on(int device, StreamHere stream);
/// Resets all devices to the default stream, for the calling thread.
void forget_current_streams();

/// A stream with its device.
struct DeviceStream {
  int device = 0;
  StreamHere stream;

  bool operator==(const DeviceStream& other) const {
    return device == other.device && stream.id == other.stream.id;
  }
};
inline DeviceStream stream_here(int device) { return {device, stream_on(device)}; }
/// Looks up the handle if it is not known yet.
cudaStream_t handle_of(const DeviceStream& stream);

/// Returns the handle of the calling thread's current stream on its current device. Queries the
/// current device only if the thread has ever set a stream.
cudaStream_t current_stream();
/// Like `current_stream`, for any device. Makes no runtime call once the handle is known.
cudaStream_t current_stream_on(int device);

/// Replaces the calling thread's current streams, by device; devices without an entry get their
/// default stream. Returns the previous streams.
std::vector<StreamHere> exchange_current_streams(std::vector<StreamHere> streams);

/// Makes a stream of the current device current for the scope. Scopes must end on the thread that
/// began them, in reverse order.
class StreamScope {
 public:
  /// An external stream, whose id is its handle (STR-011).
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
