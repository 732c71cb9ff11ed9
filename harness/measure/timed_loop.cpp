// Google Benchmark around `bench.run`.
#include "harness/measure/timed_loop.hpp"

#include <benchmark/benchmark.h>

#include <exception>
#include <mutex>

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
  explicit Body(Batches& batches) : batches_(batches) {}

  void run(benchmark::State& state) {
    const benchmark::IterationCount times = state.max_iterations;
    while (state.KeepRunningBatch(times)) {
      try {
        const std::chrono::duration<double, std::nano> elapsed(
            static_cast<double>(batches_.run(times)));
        state.SetIterationTime(std::chrono::duration<double>(elapsed).count());
      } catch (...) {
        error_ = std::current_exception();
        state.SkipWithError("stopped");
        return;
      }
    }
  }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  Batches& batches_;
  std::exception_ptr error_;
};

}  // namespace

TimedLoop time_loop(Link& link, const LoopCall& call, const TimingOptions& options) {
  static std::mutex turn;
  const std::scoped_lock lock(turn);
  TimedLoop timed;
  Batches batches(link, call);
  batches.check();
  Body body(batches);
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark(std::string(call.loop->name).c_str(),
                               [&body](benchmark::State& state) { body.run(state); })
      ->UseManualTime()
      ->Unit(benchmark::kNanosecond)
      ->MinTime(std::chrono::duration<double>(options.min_time).count())
      ->Repetitions(options.samples);
  Collector collector(timed);
  benchmark::RunSpecifiedBenchmarks(&collector, nullptr, "all");
  benchmark::ClearRegisteredBenchmarks();
  body.rethrow();
  if (timed.samples.empty()) throw LoopFailed("Google Benchmark gave no samples");
  timed.via = batches.via();
  return timed;
}

}  // namespace assay::measure
