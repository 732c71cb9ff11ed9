// Area bench: loops that measure what calls, launches and kernels cost, by the host's clock and by
// the device's clock.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/guards.hpp"
#include "cuda_impl/runtime/process.hpp"
#include "cuda_impl/subject/bench/activity.hpp"
#include "cuda_impl/subject/bench/host.hpp"
#include "cuda_impl/subject/bench/named_range.hpp"
#include "cuda_impl/subject/bench/works.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/simulated.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {
namespace {

// The clocks of device loops.

enum class BenchClock : std::uint8_t {
  kLaunch,    ///< host clock, calls only: the queue never fills
  kSubmit,    ///< host clock, all calls and one final wait
  kSync,      ///< host clock, with a wait after each call
  kDevice,    ///< device clock, for replays of captured calls
  kCold,      ///< device clock, with events around each call, after the L2 cache was overwritten
  kActivity,  ///< the sum of CUPTI's records of kernels, copies and memsets
  kColdActivity,  ///< of kernels and copies, each call after the L2 cache was overwritten
};

/// Iterations between two waits, during which the
/// clock is stopped; far below the queue's capacity.
inline constexpr std::int64_t kMostQueued = 128;

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kLongestGraph = 64;
/// Writing this much keeps a device busy until the host has queued the first replays.
constexpr std::int64_t kBusyBytes = std::int64_t{64} << 20;

void wait() { cuda_check(cudaStreamSynchronize(current_stream())); }

/// Includes streams that an iteration uses, whose queues would otherwise fill.
void wait_for_all() { cuda_check(cudaDeviceSynchronize()); }

void restore(BenchWork& work) {
  const Uncounted uncounted;
  work.restore();
}

/// Runs `times` iterations with a wait after each `at_once`; the waits count or not.
std::int64_t by_host(BenchWork& work, std::int64_t times, std::int64_t at_once, bool with_waits) {
  Clock::duration elapsed{};
  restore(work);
  wait_for_all();
  for (std::int64_t left = times; left > 0; left -= at_once) {
    const std::int64_t now = std::min(left, at_once);
    const auto begin = Clock::now();
    for (std::int64_t i = 0; i < now; ++i) {
      bench_sum().step(work.queue());
    }
    if (with_waits) wait();
    elapsed += Clock::now() - begin;
    if (!with_waits) wait_for_all();
  }
  return std::chrono::nanoseconds(elapsed).count();
}

class TimingEvent {
 public:
  TimingEvent() { cuda_check(cudaEventCreate(&event_)); }
  ~TimingEvent() { cuda_warn(cudaEventDestroy(event_)); }
  TimingEvent(const TimingEvent&) = delete;
  TimingEvent& operator=(const TimingEvent&) = delete;

  void record() const { cuda_check(cudaEventRecord(event_, current_stream())); }
  /// Waits for both events.
  std::int64_t nanoseconds_since(const TimingEvent& first) const {
    float milliseconds = 0;
    cuda_check(cudaEventSynchronize(event_));
    cuda_check(cudaEventElapsedTime(&milliseconds, first.event_, event_));
    return std::llround(static_cast<double>(milliseconds) * 1e6);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A captured sequence of iterations, which replays without the host.
class Captured {
 public:
  Captured(BenchWork& work, std::int64_t length, Release release) : length_(length) {
    if (length == 0) return;
    graph_.begin(cudaStreamCaptureModeThreadLocal);
    for (std::int64_t i = 0; i < length; ++i) work.queue();
    graph_.end(release);
  }

  void replay() {
    if (length_ > 0) graph_.replay();
  }
  void replay_and_step() {
    replay();
    for (std::int64_t i = 0; i < length_; ++i) bench_sum().step(1);
  }

 private:
  std::int64_t length_;
  Graph graph_;
};

/// Overwrites the memory, so that the host gets ahead of the device.
void keep_busy(const Tensor& memory) {
  cuda_check(cudaMemsetAsync(memory.data(), 0, memory.size_bytes(), current_stream()));
}

std::int64_t on_device(BenchWork& work, std::int64_t times, Release release) {
  const std::int64_t length = std::min(times, kLongestGraph);
  restore(work);
  Captured many(work, length, release);
  Captured rest(work, times % length, release);
  const Tensor memory = empty({kBusyBytes}, Dtype::kUInt8, home());
  const TimingEvent first;
  const TimingEvent last;
  many.replay();  // a graph's first replay takes longer
  rest.replay();
  restore(work);
  keep_busy(memory);
  first.record();
  for (std::int64_t i = 0; i < times / length; ++i) many.replay_and_step();
  rest.replay_and_step();
  last.record();
  return last.nanoseconds_since(first);
}

std::int64_t cache_bytes() {
  int bytes = 0;
  cuda_check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, current_device()));
  return std::max(bytes, 1);
}

/// The cache is overwritten between the pairs of events, so it is not measured.
std::int64_t on_cold_device(BenchWork& work, std::int64_t times) {
  const Tensor cache = empty({cache_bytes()}, Dtype::kUInt8, home());
  const std::vector<TimingEvent> firsts(static_cast<std::size_t>(std::min(times, kLongestGraph)));
  const std::vector<TimingEvent> lasts(firsts.size());
  std::int64_t elapsed = 0;
  restore(work);
  for (std::int64_t left = times; left > 0; left -= kLongestGraph) {
    const auto now = static_cast<std::size_t>(std::min(left, kLongestGraph));
    for (std::size_t i = 0; i < now; ++i) {
      keep_busy(cache);
      firsts[i].record();
      bench_sum().step(work.queue());
      lasts[i].record();
    }
    for (std::size_t i = 0; i < now; ++i) elapsed += lasts[i].nanoseconds_since(firsts[i]);
  }
  return elapsed;
}

/// No gap between kernels counts, so neither events nor graphs are needed.
std::int64_t by_activity(BenchWork& work, std::int64_t times, bool is_cold) {
  const Tensor cache = empty({is_cold ? cache_bytes() : 1}, Dtype::kUInt8, home());
  restore(work);
  wait_for_all();
  std::optional<ActivityRecording> recording;
  if (!is_simulated()) recording.emplace(process_cupti());
  for (std::int64_t i = 0; i < times; ++i) {
    if (is_cold) keep_busy(cache);
    bench_sum().step(work.queue());
    if (i % kMostQueued == kMostQueued - 1) wait();
  }
  wait_for_all();
  return recording ? recording->busy_ns(!is_cold) : 0;
}

/// Restores, iterates and waits; returns the nanoseconds of all iterations. Adds one step to the
/// checksum for each: the result of `queue`, or 1 for a replay. Restoring is not counted. Throws
/// NotSupported for CUPTI's clocks if CUPTI cannot be used; a simulated device gives 0 for them.
std::int64_t time_on(BenchClock clock, BenchWork& work, std::int64_t times, Release release) {
  bench_sum().begin();
  switch (clock) {
    case BenchClock::kLaunch:
      return by_host(work, times, kMostQueued, false);
    case BenchClock::kSubmit:
      return by_host(work, times, times, true);
    case BenchClock::kSync:
      return by_host(work, times, 1, true);
    case BenchClock::kDevice:
      return on_device(work, times, release);
    case BenchClock::kCold:
      return on_cold_device(work, times);
    case BenchClock::kActivity:
      return by_activity(work, times, false);
    case BenchClock::kColdActivity:
      return by_activity(work, times, true);
  }
  throw Error(ErrorKind::kInternal, "there is no such clock");
}

/// Loops without results on a device, such as event records, use the launch clock.
BenchClock clock_argument(Call& call) {
  const std::string name = call.arguments().text("clock", "launch");
  const std::string l2 = call.arguments().text("l2", "hot");
  if (l2 == "cold" && name == "device") return BenchClock::kCold;
  if (l2 == "cold" && name == "activity") return BenchClock::kColdActivity;
  if (l2 != "hot") throw InvalidArgument("bench.run: 'l2' is hot, or by the device's clock cold");
  if (name == "launch") return BenchClock::kLaunch;
  if (name == "submit") return BenchClock::kSubmit;
  if (name == "sync") return BenchClock::kSync;
  if (name == "device") return BenchClock::kDevice;
  if (name == "activity") return BenchClock::kActivity;
  throw InvalidArgument("bench.run: there is no clock '" + name + "'");
}

std::unique_ptr<BenchWork> work_argument(Call& call) {
  const Uncounted uncounted;
  return make_bench_work(call);
}

/// An operator without a kernel for the dtype counts as an unsupported loop.
std::int64_t time_or_refuse(Call& call, BenchWork& work, std::int64_t times) {
  const BenchClock clock = clock_argument(call);
  const NamedRange range(call.arguments().text("loop") + " by the clock " +
                         call.arguments().text("clock", "launch"));
  try {
    return time_on(clock, work, times, call.release());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotImplemented) throw;
    throw NotSupported(error.message());
  }
}

/// The stream of the loop: `default`, or one from the pool.
std::optional<Stream> stream_for_loop(Call& call) {
  const std::string kind = call.arguments().text("stream", "default");
  if (kind == "default") return std::nullopt;
  if (kind == "pool") return stream_from_pool_by_rank(false, 0);
  if (kind == "high") return stream_from_pool_by_rank(true, 0);
  throw InvalidArgument("bench.run: there is no stream '" + kind + "'");
}

void run_on_device(Call& call, std::int64_t times) {
  const Untraced untraced;
  const bool whole = call.arguments().boolean("whole", false);
  const OptionalStreamGuard guard(stream_for_loop(call));
  const std::unique_ptr<BenchWork> work = work_argument(call);
  const std::int64_t elapsed = time_or_refuse(call, *work, times);
  const Uncounted uncounted;
  if (const auto results = work->results(); !results.empty()) {
    call.set("result", static_cast<std::int64_t>(bench_result(results, whole)));
  }
  call.set("checksum", static_cast<std::int64_t>(bench_sum().value()));
  call.set("via", "c++");
  if (is_simulated()) return call.set("no_time", "simulated");
  call.set("ns", elapsed);
}

}  // namespace

void bench_run(Call& call) {
  const BenchTurn turn(call.arguments());
  const HostLoop loop = host_loop_named(call.arguments().text("loop"));
  if (loop == nullptr) return run_on_device(call, turn.times());
  const Uncounted uncounted;
  for (const auto& [name, value] : to_fields(loop(call.contract(), turn.times())))
    call.set(name, value);
}

}  // namespace assay::cuda
