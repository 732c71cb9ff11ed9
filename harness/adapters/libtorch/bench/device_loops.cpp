// Loops of `bench.run` for events, guards and memory, on CUDA devices if libtorch supports them.
#include <c10/core/Allocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "harness/adapters/libtorch/bench/loops.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::libtorch {
namespace {

c10::impl::VirtualGuardImpl cuda_backend(int devices = 2) {
  if (!c10::impl::hasDeviceGuardImpl(at::kCUDA)) {
    throw NotSupported("this libtorch is built without CUDA");
  }
  const c10::impl::VirtualGuardImpl backend(at::kCUDA);
  if (backend.deviceCount() < devices) {
    throw NotSupported(devices == 1 ? "there is no CUDA device" : "there are no two CUDA devices");
  }
  return backend;
}

BenchRun record_and_wait(std::int64_t times) {
  const auto backend = cuda_backend();
  const c10::Device device(at::kCUDA, 0);
  const c10::Stream from = backend.getStreamFromGlobalPool(device);
  const c10::Stream to = backend.getStreamFromGlobalPool(device);
  c10::Event event(at::kCUDA);
  return run_bench_loop(times, [&] {
    event.record(from);
    event.block(to);
    bench_sum().step(event.was_marked_for_recording() ? 1 : 0);
  });
}

BenchRun create_and_record(std::int64_t times) {
  const c10::Stream stream = cuda_backend().getStreamFromGlobalPool({at::kCUDA, 0});
  return run_bench_loop(times, [&] {
    c10::Event event(at::kCUDA);
    event.record(stream);
    bench_sum().step(event.was_marked_for_recording() ? 1 : 0);
  });
}

BenchRun record(std::int64_t times) {
  const c10::Stream stream = cuda_backend().getStreamFromGlobalPool({at::kCUDA, 0});
  c10::Event event(at::kCUDA);
  event.record(stream);
  return run_bench_loop(times, [&] {
    event.record(stream);
    bench_sum().step(event.was_marked_for_recording() ? 1 : 0);
  });
}

BenchRun query(std::int64_t times) {
  const c10::Stream stream = cuda_backend().getStreamFromGlobalPool({at::kCUDA, 0});
  c10::Event event(at::kCUDA);
  event.record(stream);
  while (!event.query()) {
  }
  return run_bench_loop(times, [&] { bench_sum().step(event.query() ? 1 : 0); });
}

BenchRun take_stream(std::int64_t times) {
  const auto backend = cuda_backend();
  c10::Stream before = backend.getStreamFromGlobalPool({at::kCUDA, 0});
  return run_bench_loop(times, [&] {
    const c10::Stream taken = backend.getStreamFromGlobalPool({at::kCUDA, 0});
    bench_sum().step(taken == before ? 0 : 1);
    before = taken;
  });
}

BenchRun switch_stream(std::int64_t times) {
  const auto backend = cuda_backend();
  const c10::Stream stream = backend.getStreamFromGlobalPool({at::kCUDA, 0});
  return run_bench_loop(times, [&] {
    const c10::StreamGuard guard(stream);
    bench_sum().step(backend.getStream(stream.device()) == stream ? 1 : 0);
  });
}

BenchRun switch_device(std::int64_t times) {
  const auto backend = cuda_backend();
  const c10::DeviceGuard home(c10::Device(at::kCUDA, 0));
  return run_bench_loop(times, [&] {
    const c10::DeviceGuard guard(c10::Device(at::kCUDA, 1));
    bench_sum().step(static_cast<std::uint64_t>(backend.getDevice().index()));
  });
}

BenchRun allocate_from_cache(std::int64_t times) {
  cuda_backend(1);
  c10::Allocator& allocator = *c10::GetAllocator(at::kCUDA);
  const auto take = [&] { return allocator.allocate(512).get(); };
  const void* before = take();
  return run_bench_loop(times, [&] {
    const void* const taken = take();
    bench_sum().step(taken == before ? 1 : 0);
    before = taken;
  });
}

/// Other functions of the allocator need CUDA's headers.
BenchRun allocate_otherwise(std::int64_t) {
  cuda_backend(1);
  throw NotSupported("c10::Allocator empties no cache and knows of no streams");
}

}  // namespace

std::vector<NamedBenchLoop> device_bench_loops() {
  return {{"event", record_and_wait},
          {"event_create", create_and_record},
          {"event_record", record},
          {"event_query", query},
          {"stream_from_pool", take_stream},
          {"stream_guard", switch_stream},
          {"device_guard", switch_device},
          {"allocate_hit", allocate_from_cache},
          {"allocate_miss", allocate_otherwise},
          {"allocate_crossed", allocate_otherwise}};
}

}  // namespace assay::libtorch
