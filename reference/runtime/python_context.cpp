// Implements Python's context managers.
#include "reference/runtime/python_context.hpp"

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/python_stream.hpp"

namespace assay::reference {
namespace {

int index_of(Runtime& runtime, Device device) {
  check(device.is_cuda(), ErrorKind::kValue,
        [&] { return "Expected a cuda device, but got: " + to_text(device); });
  return device.index == -1 ? cuda_current_device(runtime) : device.index;
}

}  // namespace

PythonDeviceContext::PythonDeviceContext(Runtime& runtime, Device device)
    : runtime_(runtime), index_(index_of(runtime, device)) {}

void PythonDeviceContext::enter_strictly() {
  befores_.push_back(cuda_exchange_device(runtime_, index_));
}

void PythonDeviceContext::exit_strictly() {
  cuda_restore_device(runtime_, befores_.back());
  befores_.pop_back();
}

void PythonDeviceContext::enter() {
  if (index_ < 0) return;
  if (runtime_.contract().strict()) return enter_strictly();
  before_ = cuda_exchange_device(runtime_, index_);
}

/// [DEV] of GRD-029: 1.13 restores only if it changed the device; later releases store the saved
/// device in the object.
void PythonDeviceContext::exit() {
  if (index_ < 0) return;
  if (runtime_.contract().strict()) {
    return exit_strictly();
  }
  if (runtime_.contract().release == Release::k1_13) {
    if (before_ != index_) cuda_set_device(runtime_, before_);
    return;
  }
  index_ = cuda_current_device(runtime_);
  cuda_restore_device(runtime_, before_);
}

void PythonStreamContext::enter() {
  if (!stream_) return;
  Saved saved{current_stream(runtime_), {}};
  if (!(saved.source.device == stream_->device)) {
    saved.target = current_stream(runtime_, stream_->device.index);
  }
  // PyTorch's object stores a single entry, which a second one overwrites.
  if (!runtime_.contract().strict() && !saved_.empty()) saved_.back() = saved;
  saved_.push_back(saved);
  python_set_stream(runtime_, stream_);
}

void PythonStreamContext::exit() {
  if (!stream_) return;
  const Saved saved = saved_.back();
  saved_.pop_back();
  if (saved.target) python_set_stream(runtime_, saved.target);
  python_set_stream(runtime_, saved.source);
}

}  // namespace assay::reference
