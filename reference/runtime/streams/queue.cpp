// Launches, copies and waits on current streams (STR-030, STR-031, STR-033).
#include "reference/runtime/streams/queue.hpp"

#include <utility>

#include "reference/core/types/device_hooks.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/owned_event.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/stream.hpp"
#include "reference/runtime/work.hpp"

namespace assay::reference {
namespace {

class EventMark final : public StreamMark {
 public:
  explicit EventMark(Runtime& runtime) : event(runtime) {}

  OwnedEvent event;
};

class StreamQueue final : public LaunchQueue {
 public:
  explicit StreamQueue(Runtime& runtime) : runtime_(runtime) {}

  void launch(Device device, std::string name, std::function<void()> work) override {
    launch_kernel(runtime_, stream_on(device), {.name = std::move(name), .run = std::move(work)});
  }

  void copy(Device device, bool is_pageable, std::function<void()> work) override {
    const OnCudaDevice on(runtime_, device.index);
    const StreamHandle handle = handle_of(runtime_, stream_on(device));
    if (is_pageable) check_pageable(handle);
    cuda_check(runtime_, driver().memcpy_async(handle, {.name = "copy", .run = std::move(work)}));
  }

  Stream current(Device device) override { return stream_on(device); }

  StreamMarkRef mark(const Stream& stream) override {
    const OnCudaDevice on(runtime_, stream.device.index);
    auto mark = std::make_shared<EventMark>(runtime_);
    mark->event.record(handle_of(runtime_, stream));
    return mark;
  }

  void hold_back(const Stream& stream, const StreamMark& mark) override {
    const OnCudaDevice on(runtime_, stream.device.index);
    const EventHandle event = dynamic_cast<const EventMark&>(mark).event.handle();
    cuda_check(runtime_, driver().stream_wait(handle_of(runtime_, stream), event));
  }

  std::shared_ptr<void> enter(const Stream& stream) override {
    return std::make_shared<OnlyStream>(runtime_, stream);
  }

  bool can_access_peer(Device device, Device peer) override {
    return cuda_can_access_peer(runtime_, device, peer);
  }

  void wait(Device device) override {
    about_to_wait(runtime_);
    const OnCudaDevice on(runtime_, device.index);
    cuda_check(runtime_, driver().stream_sync(handle_of(runtime_, stream_on(device))));
  }

 private:
  Driver& driver() { return driver_of(runtime_); }

  Stream stream_on(Device device) { return current_stream(runtime_, device.index); }

  /// A later replay would read memory that no longer exists.
  void check_pageable(StreamHandle stream) {
    if (!driver().is_capturing() || !runtime_.contract().at_least(Release::k2_11)) return;
    CaptureStatus status = CaptureStatus::kNone;
    cuda_check(runtime_, driver().capture_status(stream, status));
    check(status == CaptureStatus::kNone, [] {
      return "a copy between a device and pageable host memory cannot be captured; pin it first";
    });
  }

  Runtime& runtime_;
};

}  // namespace

void use_streams(Runtime& runtime) {
  device_hooks(runtime).queue = std::make_unique<StreamQueue>(runtime);
  device_hooks(runtime).is_capturing = [&runtime] { return is_capturing(runtime); };
}

}  // namespace assay::reference
