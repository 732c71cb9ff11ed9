// Streams and contexts as Python has them (STR-022, STR-032, GRD-029).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// Arguments of `torch.cuda.Stream`, and of `torch.Stream`.
struct PythonStreamOptions {
  std::optional<Device> device = {};
  int priority = 0;
  StreamParts parts = {};   ///< of a stream that there is; three zeros: take a new one
  std::int64_t handle = 0;  ///< of an external stream; 0: none
};
/// Raises `error` for an external stream with a priority.
Stream python_stream(const PythonStreamOptions& options);
/// By the backend's hook for new streams.
Stream python_generic_stream(const PythonStreamOptions& options);

/// Makes the stream's device current as well.
void python_set_stream(const Stream& stream);
/// `a` waits for what `b` has been given so far.
void wait_for_stream(const Stream& a, const Stream& b);

/// `with torch.cuda.stream(...)`. An object can be entered more than once; PyTorch's then keeps
/// only what it found last.
class PythonStreamContext {
 public:
  /// Without a stream it does nothing.
  explicit PythonStreamContext(std::optional<Stream> stream) : stream_(stream) {}
  void enter();
  void exit();

 private:
  /// What was current when the context was entered.
  struct Found {
    Stream source;
    std::optional<Stream> target;  ///< on the stream's device, where that is another
  };
  std::optional<Stream> stream_;
  std::vector<Found> found_;
};

/// `with torch.cuda.device(...)`
class PythonDeviceContext {
 public:
  /// A negative index does nothing.
  explicit PythonDeviceContext(int index) : index_(index) {}
  /// Raises `value` for a device that is not CUDA's.
  explicit PythonDeviceContext(Device device);
  void enter();
  void exit();

 private:
  int index_;
  std::vector<int> before_;
};

}  // namespace assay::cuda
