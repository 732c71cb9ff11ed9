// The additional behaviour of torch.cuda's Python code.
#include "cuda_impl/runtime/python.hpp"

#include <cuda_runtime_api.h>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"
#include "cuda_impl/runtime/cuda_event.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/event.hpp"

namespace assay::cuda {
namespace {

/// PyTorch's objects remember one entry, strict ones all of them.
template <typename Found>
void keep(std::vector<Found>& all, Found found) {
  if (!rules().is_strict) all.clear();
  all.push_back(std::move(found));
}

template <typename Found>
Found newest(std::vector<Found>& all) {
  require(!all.empty(), [] { return "a context is left that was not entered"; });
  Found found = all.back();
  if (rules().is_strict) all.pop_back();
  return found;
}

void require_cuda(Device device) {
  require(device.is_cuda(), ErrorKind::kValue,
          [&] { return "Expected a cuda device, but got: " + to_text(device); });
}

bool names_a_stream(const StreamParts& parts) {
  return parts.id != 0 || parts.device_index != 0 || parts.device_type != 0;
}

}  // namespace

Stream python_stream(const PythonStreamOptions& options) {
  if (names_a_stream(options.parts)) return stream_from(options.parts, rules().release);
  const int index = options.device ? options.device->index : -1;
  if (options.handle == 0) return stream_from_pool(options.priority, index);
  require(options.priority == 0,
          [] { return "Priority was explicitly set for a external stream"; });
  return external_stream(options.handle, cuda_device(index == -1 ? current_device() : index));
}

Stream python_generic_stream(const PythonStreamOptions& options) {
  if (names_a_stream(options.parts)) return stream_from(options.parts, rules().release);
  const Device device = options.device.value_or(cuda_device(-1));
  return backend_of(device.kind).new_stream(device, options.priority);
}

bool operator==(const MadeStream& a, const MadeStream& b) {
  const bool are_of_python = a.maker != StreamMaker::kCpp && b.maker != StreamMaker::kCpp;
  if (are_of_python && a.maker != b.maker) return false;
  return a.stream == b.stream;
}

bool passes_over_cuda_events(StreamMaker maker) {
  const bool is_as_pytorch = !rules().is_strict && rules().release >= Release::k2_11;
  return is_as_pytorch && maker == StreamMaker::kTorch;
}

void python_set_stream(const Stream& stream) {
  set_current_device(stream.device.index);
  set_current_stream(stream);
}

void wait_for_stream(const Stream& a, const Stream& b) {
  if (b.device.is_cuda()) {
    CudaEvent event;
    event.record(b);
    return event.block(a);
  }
  Event event(b.device.kind, kPytorchDefault);
  event.record(b);
  event.block(a);
}

void PythonStreamContext::enter() {
  if (!stream_) return;
  Found found{current_cuda_stream(), std::nullopt};
  if (found.source.device != stream_->device) {
    found.target = current_cuda_stream(stream_->device.index);
  }
  python_set_stream(*stream_);
  keep(found_, found);
}

void PythonStreamContext::exit() {
  if (!stream_) return;
  const Found found = newest(found_);
  if (found.target) python_set_stream(*found.target);
  python_set_stream(found.source);
}

bool python_can_access_peer(Device device, Device peer) {
  require_cuda(device);
  require_cuda(peer);
  require(peer.index >= 0, ErrorKind::kValue,
          [] { return "Expected a torch.device with a specified index or an integer"; });
  const int asking = device.index == -1 ? current_device() : device.index;
  const auto is_known = [](int index) { return index < Session::cuda_devices(); };
  require(is_known(asking), ErrorKind::kAssertion, [] { return "Invalid device id"; });
  require(is_known(peer.index), ErrorKind::kAssertion, [] { return "Invalid peer device id"; });
  int can = 0;
  cuda_check(cudaDeviceCanAccessPeer(&can, asking, peer.index));
  return can != 0;
}

PythonDeviceContext::PythonDeviceContext(Device device) : index_(device.index) {
  require_cuda(device);
}

void PythonDeviceContext::enter() {
  if (index_ >= 0) keep(before_, exchange_current_device(index_));
}

void PythonDeviceContext::exit() {
  if (index_ < 0) return;
  const int before = newest(before_);
  const bool is_old = rules().release == Release::k1_13;
  if (is_old && !rules().is_strict && before == index_) return;
  const int found = current_device();
  cuda_check(restore_current_device(before));
  if (!rules().is_strict && !is_old) index_ = found;  // GRD-029
}

}  // namespace assay::cuda
