// CUDA streams: getters, and runtime calls with the right current device.
#include "cuda_impl/runtime/cuda_stream.hpp"

#include <string>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/runtime/process.hpp"

namespace assay::cuda {
namespace {

/// STR-018
int in_range(int index) {
  const int count = Session::cuda_devices();
  const bool is_old = rules().release == Release::k1_13;
  require(index >= 0 && index < count, is_old ? ErrorKind::kInternal : ErrorKind::kError, [&] {
    return "Device index value " + std::to_string(index) + " is out of index range [0, " +
           std::to_string(count) + ")";
  });
  return index;
}

int device_of(const Stream& stream) {
  return stream.device.index == -1 ? current_device() : stream.device.index;
}

cudaStream_t as_handle(std::int64_t id) {
  return reinterpret_cast<cudaStream_t>(static_cast<std::uintptr_t>(id));
}

cudaStream_t resolved(int device, std::int64_t id) {
  const Stream stream{cuda_device(device), id};
  const StreamPlace place = place_of(stream);
  if (place.kind != StreamKind::kPool) return as_handle(id);
  return handle_in_pool(device, {place.level, place.index});
}

}  // namespace

int checked_index(int index) {
  pool_levels();
  return in_range(index == -1 ? current_device() : index);
}

Stream default_stream(int device) { return {cuda_device(checked_index(device)), 0}; }

Stream current_cuda_stream(int device) {
  const int index = checked_index(device);
  return {cuda_device(index), stream_on(index).id};
}

void set_current_stream(const Stream& stream) {
  const int device = in_range(device_of(stream));  // STR-021
  if (stream_on(device).id == stream.id) return;
  if (stream.id == 0) return set_stream_on(device, {});
  set_stream_on(device, {stream.id, nullptr, resolved});
}

Stream stream_from_pool(int priority, int device) {
  const int index = checked_index(device);
  return next_of_pool(index, level_for(priority));
}

Stream stream_from_pool_by_rank(bool is_high, int device) {
  const int index = checked_index(device);
  return next_of_pool(index, is_high ? pool_levels() - 1 : 0);
}

Stream non_capturing_stream_from_pool(int priority, int device) {
  const int index = checked_index(device);
  const int level = level_for(priority);
  for (int i = 0; i < kPoolSize; ++i) {
    const Stream stream = next_of_pool(index, level);
    if (capture_status(stream) == CaptureStatus::kNone) return stream;
  }
  throw Error("Unable to obtain a non-capturing CUDA stream: all " + std::to_string(kPoolSize) +
              " of the pool capture");
}

Stream external_stream(std::int64_t handle, Device device) { return {device, handle}; }

Stream as_cuda_stream(const Stream& stream, bool is_checked) {
  require(!is_checked || stream.device.is_cuda(), [&] {
    return "expected stream.device_type() == DeviceType::CUDA, got device " +
           to_text(stream.device);
  });
  return {{DeviceKind::kCuda, stream.device.index}, stream.id};
}

Stream create_raw_stream(const RawStreamOptions& options) {
  const int device = options.device == -1 ? current_device() : options.device;
  const DeviceScope scope(device);
  cudaStream_t made = nullptr;
  const unsigned flags = options.is_blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  cuda_check(cudaStreamCreateWithPriority(&made, flags, options.priority));
  return external_stream(reinterpret_cast<std::intptr_t>(made), cuda_device(device));
}

void destroy_raw_stream(const Stream& stream) {
  const DeviceScope scope(device_of(stream));
  cudaStream_t const handle = handle_of(stream);
  capture_ends({device_of(stream), handle});
  cuda_check(cudaStreamDestroy(handle));
}

StreamPlace place_of(const Stream& stream) {
  // Only pool ids depend on the number of priority levels.
  const bool is_native = (stream.id & 1) != 0;
  return place_of(stream, is_native ? pool_levels() : kMostLevels, rules());
}

cudaStream_t handle_of(const Stream& stream) { return resolved(device_of(stream), stream.id); }

int priority_of(const Stream& stream) {
  const DeviceScope scope(device_of(stream));
  int priority = 0;
  cuda_check(cudaStreamGetPriority(handle_of(stream), &priority));
  return priority;
}

bool is_done(const Stream& stream) {
  const DeviceScope scope(device_of(stream));
  const cudaError_t result = cudaStreamQuery(handle_of(stream));
  if (result == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());  // FLT-007
    return false;
  }
  cuda_check(result);
  return true;
}

void synchronize(const Stream& stream) {
  before_host_waits();
  const DeviceScope scope(device_of(stream));
  cuda_check(cudaStreamSynchronize(handle_of(stream)));
}

CaptureStatus capture_status(const Stream& stream) {
  const DeviceScope scope(device_of(stream));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cuda_check(cudaStreamIsCapturing(handle_of(stream), &status));
  if (status == cudaStreamCaptureStatusNone) return CaptureStatus::kNone;
  return status == cudaStreamCaptureStatusActive ? CaptureStatus::kActive
                                                 : CaptureStatus::kInvalidated;
}

void begin_capture(const Stream& stream, cudaStreamCaptureMode mode) {
  require(stream.id != 0, [] {
    return "CUDA graphs must be captured on a non-default stream, and this is the default one";
  });
  const DeviceScope scope(device_of(stream));
  cudaStream_t const handle = handle_of(stream);
  cuda_check(cudaStreamBeginCapture(handle, mode));
  capture_begins({device_of(stream), handle}, nullptr);
}

void end_capture(const Stream& stream) {
  const DeviceScope scope(device_of(stream));
  cudaGraph_t captured = nullptr;
  cudaStream_t const handle = handle_of(stream);
  const cudaError_t result = cudaStreamEndCapture(handle, &captured);
  capture_ends({device_of(stream), handle});
  if (captured != nullptr) cuda_warn(cudaGraphDestroy(captured));
  cuda_check(result);
}

}  // namespace assay::cuda
