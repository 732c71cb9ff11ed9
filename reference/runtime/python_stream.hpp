// What Python's functions do with streams and events of CUDA.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/runtime/events/cuda.hpp"

namespace assay::reference {

/// `torch.cuda.Stream(...)`: a stream of a pool, or the one that the other arguments name
/// (STR-022).
struct PythonStreamCall {
  std::optional<Device> device = {};
  int priority = 0;
  std::int64_t stream_id = 0;
  std::int64_t device_index = 0;
  std::int64_t device_type = 0;
  StreamHandle handle = 0;  ///< of an external stream
};
Stream python_stream(Runtime& runtime, const PythonStreamCall& call);

/// `torch.Stream(device, priority)` (STR-032).
Stream python_generic_stream(Runtime& runtime, const PythonStreamCall& call);

/// Switches the device too; nothing for none.
void python_set_stream(Runtime& runtime, const std::optional<Stream>& stream);

/// `enable_timing`, `blocking`, `interprocess`, `external` (EVT-027).
struct PythonEventCall {
  bool timing = false;
  bool blocking = false;
  bool interprocess = false;
  bool external = false;
};
unsigned python_event_flags(const PythonEventCall& call);
/// What `enable_timing` of `torch.Event` is unless somebody says.
bool python_event_times(Release release);

/// Later work of `stream` waits for what is in `other` now; nothing more (EVT-028).
void wait_stream(Runtime& runtime, const Stream& stream, const Stream& other);

}  // namespace assay::reference
