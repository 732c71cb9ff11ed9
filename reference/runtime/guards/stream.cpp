// Sets a stream and its device and restores the previous ones.
#include "reference/runtime/guards/stream.hpp"

#include <string>

#include "reference/core/types/error.hpp"

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

}  // namespace assay::reference
