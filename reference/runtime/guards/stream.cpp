// Sets a stream and its device, or the streams of several devices, and restores the previous ones.
#include "reference/runtime/guards/stream.hpp"

#include <algorithm>
#include <ranges>
#include <string>

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/guard_backend.hpp"

namespace assay::reference {
namespace {

/// Returns the device, which must have an index.
Device indexed_device(const Stream& stream) {
  const bool has_one =
      stream.device.index >= 0 || stream.device.is_cpu() || stream.device.is_meta();
  check(has_one, [&] {  // GRD-022
    return "a stream guard needs a device with an index, not " + to_text(stream.device) + " (" +
           std::to_string(stream.device.index) + ")";
  });
  return stream.device;
}

}  // namespace

StreamGuard::StreamGuard(Runtime& runtime, const Stream& stream)
    : runtime_(runtime), device_(runtime, indexed_device(stream)), current_(stream) {
  original_of_original_ = device_.backend().get_stream(device_.original_device());
  original_of_current_ = device_.backend().exchange_stream(stream);
}

StreamGuard::~StreamGuard() { restore_stream(); }

void StreamGuard::restore_stream() noexcept {
  try {
    device_.backend().exchange_stream(original_of_current_);
  } catch (const Error& error) {
    runtime_.warn("UserWarning", error.message());
  }
}

void StreamGuard::reset_stream(const Stream& stream) {
  indexed_device(stream);
  if (stream.device == device_.current_device()) {  // GRD-014
    device_.backend().exchange_stream(stream);
    current_ = stream;
    return;
  }
  device_.backend().exchange_stream(original_of_current_);  // GRD-015
  device_.reset_device(stream.device);
  original_of_current_ = device_.backend().exchange_stream(stream);
  current_ = stream;
}

OptionalStreamGuard::OptionalStreamGuard(Runtime& runtime, const std::optional<Stream>& stream)
    : runtime_(runtime) {
  if (stream) guard_.emplace(runtime, *stream);
}

void OptionalStreamGuard::reset_stream(const Stream& stream) {
  if (!guard_) {
    guard_.emplace(runtime_, stream);
  } else {
    guard_->reset_stream(stream);
  }
}

void OptionalStreamGuard::reset() { guard_.reset(); }

// Streams of several devices.

namespace {

DeviceType type_of(const std::vector<Stream>& streams) {
  const Device first = streams.front().device;
  for (std::size_t i = 1; i < streams.size(); ++i) {
    const Device device = streams[i].device;
    check(device.type == first.type, ErrorKind::kValue, [&] {
      return "Streams have a mix of device types: stream 0 is on " + to_text(first) +
             " while stream " + std::to_string(i) + " is on device " + to_text(device);
    });
  }
  return first.type;
}

bool has_a_device_twice(const std::vector<Stream>& streams) {
  std::vector<int> indices;
  for (const Stream& stream : streams) indices.push_back(stream.device.index);
  std::ranges::sort(indices);
  return std::ranges::adjacent_find(indices) != indices.end();
}

}  // namespace

MultiStreamGuard::MultiStreamGuard(Runtime& runtime, const std::vector<Stream>& streams)
    : runtime_(runtime) {
  if (streams.empty()) return;
  backend_ = backend_of(runtime, type_of(streams));
  try {
    for (const Stream& stream : streams) originals_.push_back(backend_->exchange_stream(stream));
  } catch (const Error&) {
    if (runtime.contract().strict()) restore();
    throw;
  }
}

MultiStreamGuard::~MultiStreamGuard() { restore(); }

/// In list order (GRD-019). [DEV] of GRD-021: if a device occurs twice, PyTorch's order restores
/// the stream that the list itself had set.
void MultiStreamGuard::restore() noexcept {
  if (runtime_.contract().strict() && has_a_device_twice(originals_)) {
    std::ranges::reverse(originals_);
  }
  try {
    for (const Stream& stream : originals_) backend_->exchange_stream(stream);
  } catch (const Error& error) {
    runtime_.warn("UserWarning", error.message());
  }
}

}  // namespace assay::reference
