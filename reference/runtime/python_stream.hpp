// Python's functions for CUDA streams and events.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/runtime/events/cuda.hpp"

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

}  // namespace assay::reference
