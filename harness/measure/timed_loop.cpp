// Google Benchmark around `bench.run`.
#include "harness/measure/timed_loop.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <span>
#include <utility>

#include "harness/measure/batch.hpp"

namespace assay::measure {
namespace {

/// Keeps each repetition, and prints nothing.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(TimedLoop& timed) : timed_(timed) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      timed_.samples.push_back(run.GetAdjustedRealTime());
      timed_.iterations = run.iterations;
    }
  }

 private:
  TimedLoop& timed_;
};

/// What is thrown must not pass through the library: it is kept, and thrown again afterwards.
class Body {
 public:
  Body(Batches& batches, const TimingOptions& options, const ClockReader& read_clock)
      : batches_(batches), read_clock_(read_clock), most_(most_time(options)) {}

  void run(benchmark::State& state) {
    const benchmark::IterationCount times = state.max_iterations;
    const bool is_first_sample = times != std::exchange(times_, times);  // calibration is over
    const bool is_left_out = spent_ > most_ && !is_first_sample;
    if (is_left_out) ++left_out_;
    // The library goes on with the next sample after an error. The first one says why.
    if (error_ != nullptr) return state.SkipWithError("stopped");
    while (state.KeepRunningBatch(times)) {
      try {
        const Time elapsed(is_left_out ? 1 : static_cast<double>(batches_.run(times)));
        spent_ += elapsed;
        state.SetIterationTime(std::chrono::duration<double>(elapsed).count());
        if (read_clock_ != nullptr) clocks_.push_back(read_clock_());
      } catch (...) {
        error_ = std::current_exception();
        state.SkipWithError("stopped");
        return;
      }
    }
  }
  /// The number of trailing samples that were skipped to save time; the library requires them all.
  std::size_t left_out() const { return left_out_; }
  /// The clocks of the last `samples` batches, which are the samples; earlier batches calibrate.
  std::span<const GpuClock> clocks(std::size_t samples) const {
    return std::span(clocks_).last(std::min(samples, clocks_.size()));
  }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  using Time = std::chrono::duration<double, std::nano>;

  Batches& batches_;
  const ClockReader& read_clock_;
  std::vector<GpuClock> clocks_;
  Time most_;
  Time spent_{};
  benchmark::IterationCount times_ = 0;
  std::size_t left_out_ = 0;
  std::exception_ptr error_;
};

void note_clocks(std::span<const GpuClock> clocks, TimedLoop& timed) {
  for (const GpuClock& clock : clocks) {
    if (clock.sm_mhz) timed.sm_clocks_mhz.push_back(*clock.sm_mhz);
    const std::string& reason = clock.throttled_by;
    if (reason.empty() || std::ranges::find(timed.throttled_by, reason) != timed.throttled_by.end())
      continue;
    timed.throttled_by.push_back(reason);
  }
}

}  // namespace

std::chrono::nanoseconds most_time(const TimingOptions& options) {
  constexpr int kPatience = 20;
  constexpr std::chrono::nanoseconds kLeast = std::chrono::seconds{3};
  return std::max(kPatience * options.samples * options.min_time, kLeast);
}

TimedLoop time_loop(Link& link, const LoopCall& call, const TimingOptions& options,
                    const ClockReader& read_clock) {
  static std::mutex turn;
  const std::scoped_lock lock(turn);
  TimedLoop timed;
  Batches batches(link, call);
  if (options.iterations == 0) batches.check();
  Body body(batches, options, read_clock);
  benchmark::ClearRegisteredBenchmarks();
  auto* const registered =
      benchmark::RegisterBenchmark(std::string(call.loop->name).c_str(),
                                   [&body](benchmark::State& state) { body.run(state); })
          ->UseManualTime()
          ->Unit(benchmark::kNanosecond)
          ->Repetitions(options.samples);
  if (options.iterations > 0) {
    registered->Iterations(options.iterations);
  } else {
    registered->MinTime(std::chrono::duration<double>(options.min_time).count());
  }
  Collector collector(timed);
  benchmark::RunSpecifiedBenchmarks(&collector, nullptr, "all");
  benchmark::ClearRegisteredBenchmarks();
  body.rethrow();
  note_clocks(body.clocks(timed.samples.size()), timed);
  timed.samples.resize(timed.samples.size() - std::min(body.left_out(), timed.samples.size()));
  if (!timed.sm_clocks_mhz.empty()) timed.sm_clocks_mhz.resize(timed.samples.size());
  if (timed.samples.empty()) throw LoopFailed("Google Benchmark gave no samples");
  timed.via = batches.via();
  return timed;
}

}  // namespace assay::measure
