// The Python interface of streams and context managers (STR-022, STR-032, GRD-029).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// The arguments of `torch.cuda.Stream` and `torch.Stream`.
struct PythonStreamOptions {
  std::optional<Device> device = {};
  int priority = 0;
  StreamParts parts = {};   ///< of an existing stream; all zeros: a new stream
  std::int64_t handle = 0;  ///< of an external stream; 0: none
};
/// Raises `error` for an external stream with a priority.
Stream python_stream(const PythonStreamOptions& options);
/// Uses the backend's hook for new streams.
Stream python_generic_stream(const PythonStreamOptions& options);

/// Whose object a stream is: Python has two classes of them.
enum class StreamMaker : std::uint8_t { kCpp, kTorch, kTorchCuda };
struct MadeStream {
  Stream stream;
  StreamMaker maker = StreamMaker::kCpp;
};
/// STR-032
bool operator==(const MadeStream& a, const MadeStream& b);
/// EVT-028: PyTorch's generic streams pass over events of `torch.cuda`.
bool passes_over_cuda_events(StreamMaker maker);

/// Also makes the stream's device current.
void python_set_stream(const Stream& stream);
/// Makes later work of `a` wait for the present work of `b`.
void wait_for_stream(const Stream& a, const Stream& b);

/// Can kernels of `device` access memory of `peer`? Raises `value` for other types of devices or a
/// peer without an index, `assertion` for an index that no device has (STR-038).
bool python_can_access_peer(Device device, Device peer);

/// `with torch.cuda.stream(...)`. An object may be entered repeatedly; PyTorch's version then
/// remembers only the last entry.
class PythonStreamContext {
 public:
  /// Without a stream it does nothing.
  explicit PythonStreamContext(std::optional<Stream> stream) : stream_(stream) {}
  void enter();
  void exit();

 private:
  /// The streams that were current at the entry.
  struct Found {
    Stream source;
    std::optional<Stream> target;  ///< on the stream's device, if that is another one
  };
  std::optional<Stream> stream_;
  std::vector<Found> found_;
};

/// `with torch.cuda.device(...)`
class PythonDeviceContext {
 public:
  /// A negative index does nothing.
  explicit PythonDeviceContext(int index) : index_(index) {}
  /// Raises `value` unless the device is a CUDA device.
  explicit PythonDeviceContext(Device device);
  void enter();
  void exit();

 private:
  int index_;
  std::vector<int> before_;
};

}  // namespace assay::cuda
