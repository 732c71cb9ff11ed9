// Launches kernels for clients; launches, copies and waits for operators on current streams
// (STR-030, STR-031, STR-033).
#include "reference/runtime/work.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/device_hooks.hpp"
#include "reference/core/types/element.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/common.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {
namespace {

struct Vectors {
  explicit Vectors(std::int64_t count)
      : a(static_cast<std::size_t>(count)), b(a.size()), c(a.size(), -1) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<std::int64_t>(i);
      b[i] = 1000 * a[i];
    }
  }

  std::vector<std::int64_t> a, b, c;
  std::int64_t threads = 0;
};

std::int64_t threads_of(const LaunchShape& shape) {
  std::int64_t threads = 1;
  for (const std::int64_t extent : shape.grid) threads *= extent;
  for (const std::int64_t extent : shape.block) threads *= extent;
  return threads;
}

/// Every thread executes this: thread i adds element i, if it exists.
void add(Vectors& vectors, std::int64_t threads) {
  const auto count = static_cast<std::int64_t>(vectors.c.size());
  for (std::int64_t i = 0; i < std::min(threads, count); ++i) {
    const auto at = static_cast<std::size_t>(i);
    vectors.c[at] = vectors.a[at] + vectors.b[at];
  }
  vectors.threads = threads;
}

}  // namespace

Stream stream_for(Runtime& runtime, const Tensor& tensor) {
  const int device = tensor.device().index;
  return current_stream(runtime, device);
}

void launch_kernel(Runtime& runtime, const Stream& stream, Work work) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  const StreamHandle handle = handle_of(runtime, stream);
  // A launch with <<<>>> returns no code; it is in the register (FLT-001).
  driver_of(runtime).launch(handle, std::move(work));
  launch_check(runtime);
}

void launch_store(Runtime& runtime, const Stream& stream, const Tensor& tensor,
                  const Scalar& value) {
  const std::uint64_t bits = value.bits_as(tensor.dtype(), runtime.contract());
  Work work{.name = "store"};
  work.run = [to = borrowed(tensor), bits] {
    for (std::int64_t i = 0; i < to.numel(); ++i) set_bits_at(to, i, bits);
  };
  launch_kernel(runtime, stream, std::move(work));
  tensor.bump_version();
}

Tensor launch_load(Runtime& runtime, const Stream& stream, const Tensor& tensor) {
  const Tensor result = empty(runtime, tensor.sizes(), tensor.dtype(), tensor.device());
  Work work{.name = "load"};
  work.run = [from = borrowed(tensor), to = borrowed(result)] {
    for (std::int64_t i = 0; i < from.numel(); ++i) set_bits_at(to, i, bits_at(from, i));
  };
  launch_kernel(runtime, stream, std::move(work));
  return result;
}

VectorSum launch_vector_sum(Runtime& runtime, const Stream& stream, const LaunchShape& shape,
                            std::int64_t count) {
  const auto vectors = std::make_shared<Vectors>(count);
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  const StreamHandle handle = handle_of(runtime, stream);
  Work work{.name = "add"};
  work.run = [vectors, threads = threads_of(shape)] { add(*vectors, threads); };
  driver_of(runtime).launch(handle, std::move(work), shape);
  cuda_check(runtime, driver_of(runtime).stream_sync(handle));

  VectorSum sum{vectors->threads, 0};
  for (std::size_t i = 0; i < vectors->c.size(); ++i) {
    sum.right += vectors->c[i] == vectors->a[i] + vectors->b[i] ? 1 : 0;
  }
  return sum;
}

GateHandle put_gate(Runtime& runtime, const Stream& stream, std::int64_t timeout_ms) {
  const OnCudaDevice on(runtime, checked_cuda_index(runtime, stream.device.index));
  GateHandle gate = 0;
  cuda_check(runtime, driver_of(runtime).gate(handle_of(runtime, stream), gate, timeout_ms));
  return gate;
}

// The work of operators, on the current stream of the tensor's device.

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
