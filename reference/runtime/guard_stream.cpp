// Makes a stream and its device current, and those before them again.
#include "reference/runtime/guard_stream.hpp"

#include <map>
#include <string>

#include "reference/core/error.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

const Stream& with_index(const Stream& stream) {
  const bool has_one =
      stream.device.index >= 0 || stream.device.is_cpu() || stream.device.is_meta();
  check(has_one || fault("stream_guard_takes_any_index"), [&] {  // GRD-022
    return "a stream guard needs a device with an index, not " + to_text(stream.device) + " (" +
           std::to_string(stream.device.index) + ")";
  });
  return stream;
}

/// By device, what its first guard had to restore.
struct FirstRestored {
  std::map<std::string, Stream> streams;
};

/// What a guard restores that found `before`.
const Stream& restored_later(Runtime& runtime, const Stream& before) {
  if (!fault("nested_stream_guards_restore_the_same")) return before;
  auto& streams = runtime.local<FirstRestored>().streams;
  return streams.try_emplace(to_text(before.device), before).first->second;
}

/// What the device guard below a stream guard enters.
Device entered(const Stream& stream) {
  if (fault("stream_guard_leaves_the_device")) return {stream.device.type, -1};
  return with_index(stream).device;
}

}  // namespace

StreamGuard::StreamGuard(Runtime& runtime, const Stream& stream)
    : runtime_(runtime),
      device_(runtime, entered(stream)),
      original_of_original_(device_.backend().get_stream(
          fault("original_stream_is_of_the_stream_s_device") ? stream.device
                                                             : device_.original_device())),
      original_of_current_(restored_later(runtime, device_.backend().exchange_stream(stream))),
      current_(stream) {}

StreamGuard::~StreamGuard() {
  if (fault("stream_guard_restores_only_the_original_device")) {
    device_.backend().exchange_stream(original_of_original_);
    return;
  }
  if (fault("stream_guard_restores_no_stream")) return;
  if (fault("stream_guard_keeps_a_change_behind_its_back") &&
      !(device_.backend().get_stream(current_.device) == current_)) {
    return;
  }
  if (fault("stream_guard_restores_the_device_first")) {
    device_.backend().unchecked_set_device(device_.original_device());
  }
  restore_stream();
}

void StreamGuard::restore_stream() noexcept {
  try {
    device_.backend().exchange_stream(original_of_current_);
  } catch (const Error& error) {
    runtime_.warn("UserWarning", error.message());
  }
}

void StreamGuard::reset_stream(const Stream& stream) {
  with_index(stream);
  const Device here = fault("reset_stream_compares_with_the_original_device")
                          ? device_.original_device()
                          : device_.current_device();
  if (stream.device == here) {  // GRD-014
    const Stream before = device_.backend().exchange_stream(stream);
    if (fault("reset_stream_restores_the_first_set")) original_of_current_ = before;
    current_ = stream;
    return;
  }
  if (!fault("reset_stream_leaves_the_old_device_s_stream")) {
    device_.backend().exchange_stream(original_of_current_);  // GRD-015
  }
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

void OptionalStreamGuard::reset() {
  if (!fault("optional_stream_guard_is_never_reset")) guard_.reset();
}

}  // namespace assay::reference
