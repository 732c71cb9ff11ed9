// Measures loops by the host's clock and by the device's clock.
#include "cuda_impl/subject/bench/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/subject/bench/activity.hpp"
#include "cuda_impl/subject/simulated.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {
namespace {

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

}  // namespace

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

}  // namespace assay::cuda
