// Implements operations on CUDA streams.
#include "reference/runtime/streams/cuda.hpp"

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/logs.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {

Stream external_stream(StreamHandle handle, Device device) {
  return {device, static_cast<std::int64_t>(handle)};
}

Stream cuda_stream(const Stream& stream, bool is_checked) {
  check(stream.device.is_cuda() || !is_checked, [&] {
    return "stream.device_type() == DeviceType::CUDA must hold, not " + to_text(stream.device);
  });
  return {cuda_device(stream.device.index), stream.id};
}

bool query_stream(Runtime& runtime, const Stream& stream) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  return is_ready(runtime, driver_of(runtime).stream_query(handle_of(runtime, stream)));
}

void synchronize_stream(Runtime& runtime, const Stream& stream) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  const StreamHandle handle = handle_of(runtime, stream);
  about_to_wait(runtime);  // STR-024
  log_trace(runtime, "sync_stream(" + std::to_string(handle) + ")");
  cuda_check(runtime, driver_of(runtime).stream_sync(handle));
}

int priority_of(Runtime& runtime, const Stream& stream) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  int priority = 0;
  cuda_check(runtime, driver_of(runtime).stream_priority(handle_of(runtime, stream), priority));
  return priority;
}

std::pair<int, int> pool_priority_range(Runtime& runtime) {
  const int levels = priority_levels(runtime);
  const PriorityRange range = stream_pools(runtime).range;
  const bool is_usual = range.least == 0 && range.greatest <= -1;
  check(is_usual, ErrorKind::kInternal, [&] {
    return "Unexpected CUDA stream priority range: least_priority == 0 and greatest_priority <= -1 "
           "must hold, but they are " +
           std::to_string(range.least) + " and " + std::to_string(range.greatest);
  });
  return {0, 1 - levels};
}

Stream create_raw_stream(Runtime& runtime, int device, bool is_blocking, int priority) {
  const int index = checked_cuda_index(runtime, device);
  const OnCudaDevice on(runtime, index);
  StreamHandle handle = 0;
  cuda_check(runtime, driver_of(runtime).stream_create(handle, !is_blocking, priority));
  return external_stream(handle, cuda_device(index));
}

void destroy_raw_stream(Runtime& runtime, const Stream& stream) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  cuda_check(runtime, driver_of(runtime).stream_destroy(handle_of(runtime, stream)));
}

void begin_capture(Runtime& runtime, const Stream& stream, CaptureMode mode) {
  check(stream.id != 0, [] { return "CUDA graphs must be captured on a non-default stream"; });
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  cuda_check(runtime, driver_of(runtime).capture_begin(handle_of(runtime, stream), mode));
}

void end_capture(Runtime& runtime, const Stream& stream) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  cuda_check(runtime, driver_of(runtime).capture_end(handle_of(runtime, stream)));
}

CaptureStatus capture_status(Runtime& runtime, const Stream& stream) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  CaptureStatus status = CaptureStatus::kNone;
  cuda_check(runtime, driver_of(runtime).capture_status(handle_of(runtime, stream), status));
  return status;
}

bool is_capturing(Runtime& runtime, int index) {
  if (!runtime.contract().cuda() || !driver_of(runtime).is_capturing()) return false;
  return driver_of(runtime).is_capturing(handle_of(runtime, current_stream(runtime, index)));
}

}  // namespace assay::reference
