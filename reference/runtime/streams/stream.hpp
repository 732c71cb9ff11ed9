// The handles of streams, and the current stream.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "reference/core/runtime.hpp"
#include "reference/core/types/stream.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// The driver's handle (STR-012). Raises for an invalid id.
StreamHandle handle_of(Runtime& runtime, const Stream& stream);

/// The calling thread's current stream on a CUDA device; -1: the current one (STR-018, STR-019).
Stream current_stream(Runtime& runtime, int index = -1);
void set_current_stream(Runtime& runtime, const Stream& stream);

/// For its lifetime, a stream and its device are current, and the other devices' default streams:
/// as on a thread that has set nothing else.
class OnlyStream {
 public:
  OnlyStream(Runtime& runtime, const Stream& stream);
  ~OnlyStream();
  OnlyStream(const OnlyStream&) = delete;
  OnlyStream& operator=(const OnlyStream&) = delete;

 private:
  Runtime& runtime_;
  std::unordered_map<int, std::int64_t> before_;
  OnCudaDevice device_;
};

}  // namespace assay::reference
