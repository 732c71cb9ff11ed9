// Loops of `bench.run`: events and guards, on simulated CUDA devices.
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/guards/device.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/subject/bench/loops.hpp"

namespace assay::reference {
namespace {

void need_devices(const Runtime& runtime) {
  if (runtime.cuda_devices() < 2) throw NotSupported("there are no two CUDA devices");
}

BenchRun record_and_wait(Runtime& runtime, std::int64_t times) {
  need_devices(runtime);
  const Stream from = stream_from_pool(runtime, 0, 0);
  const Stream to = stream_from_pool(runtime, 0, 0);
  Event event(runtime, DeviceType::kCuda, EventFlag::kPytorchDefault);
  return run_bench_loop(times, [&] {
    event.record(from);
    event.block(to);
    bench_sum().step(event.was_recorded() ? 1 : 0);
  });
}

BenchRun switch_device(Runtime& runtime, std::int64_t times) {
  need_devices(runtime);
  const DeviceGuard home(runtime, 0);
  return run_bench_loop(times, [&] {
    const BackendDeviceGuard guard(runtime, cuda_device(1));
    bench_sum().step(static_cast<std::uint64_t>(runtime.current_device()));
  });
}

}  // namespace

std::vector<NamedBenchLoop> device_bench_loops() {
  return {{"event", record_and_wait}, {"device_guard", switch_device}};
}

}  // namespace assay::reference
