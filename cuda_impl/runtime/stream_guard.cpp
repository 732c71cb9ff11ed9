// Sets and restores current streams.
#include <algorithm>
#include <string>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"
#include "cuda_impl/runtime/guards.hpp"

namespace assay::cuda {
namespace {

/// GRD-022. CPU and meta have one device, which has no index.
const Stream& with_index(const Stream& stream) {
  const bool is_host = stream.device.is_cpu() || stream.device.is_meta();
  require(is_host || stream.device.index != -1, [&] {
    return "a stream guard needs the index of its device, got -1: " +
           to_text(stream, rules().release);
  });
  return stream;
}

/// For destructors: a failure becomes a warning.
void put_back(GuardBackend& backend, const Stream& stream) noexcept {
  try {
    backend.exchange_stream(stream);
  } catch (const std::exception& error) {
    try {
      warn("UserWarning", std::string("CUDA warning: a stream was not put back: ") + error.what());
    } catch (...) {
      // There is no memory for the warning.
    }
  }
}

}  // namespace

StreamGuard::StreamGuard(const Stream& stream)
    : device_(with_index(stream).device),
      backend_(&backend_of(stream.device.kind)),
      original_(backend_->get_stream(device_.original_device())),
      restored_(backend_->exchange_stream(stream)),
      current_(stream) {}

StreamGuard::~StreamGuard() { put_back(*backend_, restored_); }

void StreamGuard::reset_stream(const Stream& stream) {
  const bool is_same_device = with_index(stream).device == device_.current_device();
  if (is_same_device) {
    backend_->exchange_stream(stream);
    current_ = stream;
    return;
  }
  GuardBackend& next = backend_of(stream.device.kind);
  backend_->exchange_stream(restored_);
  device_.reset_device(stream.device);
  backend_ = &next;
  restored_ = backend_->exchange_stream(stream);
  current_ = stream;
}

OptionalStreamGuard::OptionalStreamGuard(std::optional<Stream> stream) {
  if (stream) guard_.emplace(*stream);
}

void OptionalStreamGuard::reset_stream(const Stream& stream) {
  if (guard_) return guard_->reset_stream(stream);
  guard_.emplace(stream);
}

void OptionalStreamGuard::reset() { guard_.reset(); }

MultiStreamGuard::MultiStreamGuard(const std::vector<Stream>& streams) {
  if (streams.empty()) return;
  const DeviceKind type = streams.front().device.kind;
  for (std::size_t i = 1; i < streams.size(); ++i) {
    require(streams[i].device.kind == type, ErrorKind::kValue, [&] {
      return "Streams have a mix of device types: stream 0 is on " +
             to_text(streams.front().device) + " while stream " + std::to_string(i) +
             " is on device " + to_text(streams[i].device);
    });
  }
  backend_ = &backend_of(type);
  try {
    for (const Stream& stream : streams) before_.push_back(backend_->exchange_stream(stream));
  } catch (...) {
    restore();
    throw;
  }
}

MultiStreamGuard::~MultiStreamGuard() {
  if (backend_ != nullptr) restore();
}

/// GRD-021: PyTorch restores forwards; of two streams of one device, the second stays current.
void MultiStreamGuard::restore() noexcept {
  const bool is_twice = std::ranges::any_of(before_, [&](const Stream& stream) {
    return std::ranges::count(before_, stream.device, &Stream::device) > 1;
  });
  if (rules().is_strict && is_twice) std::ranges::reverse(before_);
  for (const Stream& stream : before_) put_back(*backend_, stream);
}

}  // namespace assay::cuda
