// Python's functions for CUDA streams and events, and its context managers for devices and streams,
// which can be re-entered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// `torch.cuda.Stream(...)`: a stream from a pool, or the existing one that the other arguments
/// describe (STR-022).
struct PythonStreamCall {
  std::optional<Device> device = {};
  int priority = 0;
  std::int64_t stream_id = 0;
  std::int64_t device_index = 0;
  std::int64_t device_type = 0;
  StreamHandle handle = 0;  ///< for an external stream
};
Stream python_stream(Runtime& runtime, const PythonStreamCall& call);

/// `torch.Stream(device, priority)` (STR-032).
Stream python_generic_stream(Runtime& runtime, const PythonStreamCall& call);

/// The class of a stream object in Python. In C++ there is one.
enum class StreamClass : std::uint8_t { kAny, kTorch, kTorchCuda };
/// In Python, a `torch.Stream` equals no `torch.cuda.Stream` (STR-032).
bool are_equal(const Stream& a, StreamClass of_a, const Stream& b, StreamClass of_b);
/// Does `wait_event` of such a stream wait for an event of `torch.cuda`?
bool waits_for_cuda_events(const Contract& contract, StreamClass of_stream);

/// Also sets the current device; does nothing without a stream.
void python_set_stream(Runtime& runtime, const std::optional<Stream>& stream);

/// `enable_timing`, `blocking`, `interprocess`, `external` (EVT-027).
struct PythonEventCall {
  bool timing = false;
  bool blocking = false;
  bool interprocess = false;
  bool external = false;
};
unsigned python_event_flags(const PythonEventCall& call);
/// The default of `enable_timing` in `torch.Event`.
bool python_event_times(Release release);

/// Makes later work of `stream` wait for the present work of `other` (EVT-028).
void wait_stream(Runtime& runtime, const Stream& stream, const Stream& other);

// Context managers.

/// `torch.cuda.device(d)`, with the behaviour of each release (GRD-029).
class PythonDeviceContext {
 public:
  /// `cuda` means the device that is current at construction. Raises `value` for another type.
  PythonDeviceContext(Runtime& runtime, Device device);
  /// A negative index has no effect.
  PythonDeviceContext(Runtime& runtime, int index) : runtime_(runtime), index_(index) {}

  void enter();
  void exit();

 private:
  void enter_strictly();
  void exit_strictly();

  Runtime& runtime_;
  int index_;
  int before_ = -1;
  std::vector<int> befores_;  ///< strict mode: one for each entry
};

/// `torch.cuda.stream(s)` (STR-022).
class PythonStreamContext {
 public:
  /// Without a stream it has no effect.
  PythonStreamContext(Runtime& runtime, std::optional<Stream> stream)
      : runtime_(runtime), stream_(stream) {}

  void enter();
  void exit();

 private:
  struct Saved {
    Stream source;
    std::optional<Stream> target;  ///< set if it is on another device
  };

  Runtime& runtime_;
  std::optional<Stream> stream_;
  std::vector<Saved> saved_;
};

}  // namespace assay::reference
