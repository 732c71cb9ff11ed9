// Loops of `bench.run`: events, guards and memory, on simulated CUDA devices.
#include "reference/memory/caching_allocator.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/guards/device.hpp"
#include "reference/runtime/guards/stream.hpp"
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

BenchRun create_and_record(Runtime& runtime, std::int64_t times) {
  need_devices(runtime);
  const Stream stream = stream_from_pool(runtime, 0, 0);
  return run_bench_loop(times, [&] {
    Event event(runtime, DeviceType::kCuda, EventFlag::kPytorchDefault);
    event.record(stream);
    bench_sum().step(event.was_recorded() ? 1 : 0);
  });
}

BenchRun record(Runtime& runtime, std::int64_t times) {
  need_devices(runtime);
  const Stream stream = stream_from_pool(runtime, 0, 0);
  Event event(runtime, DeviceType::kCuda, EventFlag::kPytorchDefault);
  event.record(stream);
  return run_bench_loop(times, [&] {
    event.record(stream);
    bench_sum().step(event.was_recorded() ? 1 : 0);
  });
}

BenchRun query(Runtime& runtime, std::int64_t times) {
  need_devices(runtime);
  Event event(runtime, DeviceType::kCuda, EventFlag::kPytorchDefault);
  event.record(stream_from_pool(runtime, 0, 0));
  event.synchronize();
  return run_bench_loop(times, [&] { bench_sum().step(event.query() ? 1 : 0); });
}

BenchRun take_stream(Runtime& runtime, std::int64_t times) {
  need_devices(runtime);
  Stream before = stream_from_pool(runtime, 0, 0);
  return run_bench_loop(times, [&] {
    const Stream taken = stream_from_pool(runtime, 0, 0);
    bench_sum().step(taken == before ? 0 : 1);
    before = taken;
  });
}

BenchRun switch_stream(Runtime& runtime, std::int64_t times) {
  need_devices(runtime);
  const Stream stream = stream_from_pool(runtime, 0, 0);
  return run_bench_loop(times, [&] {
    const StreamGuard guard(runtime, stream);
    bench_sum().step(current_stream(runtime, 0) == stream ? 1 : 0);
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

/// Memory of device 0, allocated in its current stream. The loop releases the cached memory at its
/// end.
class Memory {
 public:
  explicit Memory(Runtime& runtime) : allocator_(allocator_of(runtime)) {
    if (runtime.cuda_devices() < 1) throw NotSupported("there is no CUDA device");
    stream_ = current_stream(runtime, 0);
    allocator_.empty_cache();
  }
  ~Memory() { allocator_.empty_cache(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Address take() { return allocator_.malloc(0, kBytes, stream_); }
  CachingAllocator& allocator() { return allocator_; }

 private:
  static constexpr std::uint64_t kBytes = 512;

  CachingAllocator& allocator_;
  Stream stream_;
};

BenchRun allocate_from_cache(Runtime& runtime, std::int64_t times) {
  Memory memory(runtime);
  Address before = memory.take();
  memory.allocator().free(before);
  return run_bench_loop(times, [&] {
    const Address taken = memory.take();
    memory.allocator().free(taken);
    bench_sum().step(taken == before ? 1 : 0);
    before = taken;
  });
}

BenchRun allocate_from_driver(Runtime& runtime, std::int64_t times) {
  Memory memory(runtime);
  return run_bench_loop(times, [&] {
    const Address taken = memory.take();
    memory.allocator().free(taken);
    memory.allocator().empty_cache();
    bench_sum().step(taken != 0 ? 1 : 0);
  });
}

BenchRun allocate_for_two_streams(Runtime& runtime, std::int64_t times) {
  Memory memory(runtime);
  const Stream user = stream_from_pool(runtime, 0, 0);
  return run_bench_loop(times, [&] {
    const Address taken = memory.take();
    memory.allocator().record_stream(taken, user);
    memory.allocator().free(taken);
    bench_sum().step(taken != 0 ? 1 : 0);
  });
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
          {"allocate_miss", allocate_from_driver},
          {"allocate_crossed", allocate_for_two_streams}};
}

}  // namespace assay::reference
