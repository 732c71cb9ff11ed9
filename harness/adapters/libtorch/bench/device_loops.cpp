// Loops of `bench.run`: events and guards, on CUDA devices where this libtorch has them.
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "harness/adapters/libtorch/bench/loops.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::libtorch {
namespace {

c10::impl::VirtualGuardImpl cuda_backend() {
  if (!c10::impl::hasDeviceGuardImpl(at::kCUDA)) {
    throw NotSupported("this libtorch is built without CUDA");
  }
  const c10::impl::VirtualGuardImpl backend(at::kCUDA);
  if (backend.deviceCount() < 2) throw NotSupported("there are no two CUDA devices");
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

}  // namespace

std::vector<NamedBenchLoop> device_bench_loops() {
  return {{"event", record_and_wait},        {"event_create", create_and_record},
          {"event_record", record},          {"event_query", query},
          {"stream_from_pool", take_stream}, {"stream_guard", switch_stream},
          {"device_guard", switch_device}};
}

}  // namespace assay::libtorch
