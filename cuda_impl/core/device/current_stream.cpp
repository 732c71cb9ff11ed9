// The thread-local table of current streams.
#include "cuda_impl/core/device/current_stream.hpp"

#include <utility>

#include "cuda_impl/core/device/current_device.hpp"

namespace assay::cuda {
namespace {

/// Indexed by device; empty if the legacy default stream is current on all devices.
std::vector<StreamHere>& streams_of_thread() {
  thread_local std::vector<StreamHere> streams;
  return streams;
}

}  // namespace

StreamHere stream_on(int device) {
  const auto& streams = streams_of_thread();
  const auto place = static_cast<std::size_t>(device);
  return place < streams.size() ? streams[place] : StreamHere{};
}

void set_stream_on(int device, StreamHere stream) {
  auto& streams = streams_of_thread();
  const auto place = static_cast<std::size_t>(device);
  if (streams.size() <= place) streams.resize(place + 1);
  streams[place] = stream;
}

void forget_current_streams() { streams_of_thread().clear(); }

cudaStream_t current_stream() {
  if (streams_of_thread().empty()) [[likely]]
    return nullptr;
  return current_stream_on(current_device());
}

cudaStream_t current_stream_on(int device) {
  StreamHere here = stream_on(device);
  if (here.resolve == nullptr) [[likely]]
    return here.handle;
  here.handle = here.resolve(device, here.id);
  here.resolve = nullptr;
  set_stream_on(device, here);
  return here.handle;
}

cudaStream_t handle_of(const DeviceStream& stream) {
  const StreamHere& here = stream.stream;
  return here.resolve == nullptr ? here.handle : here.resolve(stream.device, here.id);
}

std::vector<StreamHere> exchange_current_streams(std::vector<StreamHere> streams) {
  return std::exchange(streams_of_thread(), std::move(streams));
}

StreamScope::StreamScope(cudaStream_t stream)
    : StreamScope(StreamHere{reinterpret_cast<std::intptr_t>(stream), stream}) {}

StreamScope::StreamScope(StreamHere stream)
    : device_(current_device()), before_(stream_on(device_)) {
  set_stream_on(device_, stream);
}

StreamScope::~StreamScope() { set_stream_on(device_, before_); }

}  // namespace assay::cuda
