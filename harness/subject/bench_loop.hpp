// Shared by all loops of `bench.run`: the clock, and the checksum of their work.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "harness/subject/arguments.hpp"

namespace assay {

/// Depends on the seed, every step and their order: a step that is missing, repeated or wrong
/// changes all later values.
class BenchSum {
 public:
  static constexpr std::uint64_t kFactor = 6364136223846793005U;

  /// The loops to come begin with this value.
  void seed(std::uint64_t value) { seed_ = value; }
  std::uint64_t seed() const { return seed_; }
  void begin() { sum_ = seed_; }
  void step(std::uint64_t token) { sum_ = sum_ * kFactor + token; }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t sum_ = 0;
};

/// The sum of the running loop. A single one per process, because a kernel does not know its
/// caller.
inline BenchSum& bench_sum() {
  static constinit BenchSum sum;
  return sum;
}

/// Held by `bench.run` during its whole execution: one loop at a time in a process, in any thread.
/// Takes the arguments that all loops have.
class BenchTurn {
 public:
  explicit BenchTurn(Arguments& arguments) : lock_(mutex()), times_(arguments.integer("n")) {
    if (times_ < 1) throw InvalidArgument("bench.run: 'n' must be at least 1");
    bench_sum().seed(static_cast<std::uint64_t>(arguments.integer("seed", 0)));
  }

  std::int64_t times() const { return times_; }

 private:
  static std::mutex& mutex() {
    static std::mutex turn;
    return turn;
  }

  std::unique_lock<std::mutex> lock_;
  std::int64_t times_;
};

struct BenchRun {
  std::int64_t elapsed_ns;
  std::uint64_t checksum;
};

/// Runs `once` `times` times, after preparations are complete.
template <typename Once>
BenchRun run_bench_loop(std::int64_t times, const Once& once) {
  using Clock = std::chrono::steady_clock;
  bench_sum().begin();
  const auto begin = Clock::now();
  for (std::int64_t i = 0; i < times; ++i) once();
  const auto end = Clock::now();
  return {std::chrono::nanoseconds(end - begin).count(), bench_sum().value()};
}

/// The reply for loops that ran in C++.
inline Fields to_fields(const BenchRun& run) {
  return {{"ns", run.elapsed_ns},
          {"checksum", static_cast<std::int64_t>(run.checksum)},
          {"via", "c++"}};
}

}  // namespace assay
