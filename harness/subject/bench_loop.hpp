// What is the same in every loop of `bench.run`: its clock, and the checksum of what it did.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "harness/subject/arguments.hpp"

namespace assay {

/// Grows with every step of a loop, in order: a step that is left out, doubled or another one shows
/// in all that follow.
class BenchSum {
 public:
  static constexpr std::uint64_t kFactor = 6364136223846793005U;

  void step(std::uint64_t token) { sum_ = sum_ * kFactor + token; }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

/// The sum of the loop that is running. A kernel is a function that knows nothing of its caller, so
/// there is one for the process.
inline BenchSum& bench_sum() {
  static constinit BenchSum sum;
  return sum;
}

/// Held by `bench.run` from its first preparation to its last: one at a time in a process, whatever
/// the threads.
[[nodiscard]] inline std::unique_lock<std::mutex> bench_turn() {
  static std::mutex turn;
  return std::unique_lock(turn);
}

struct BenchRun {
  std::int64_t elapsed_ns;
  std::uint64_t checksum;
};

/// Runs `once` so many times. What it needs has been made before.
template <typename Once>
BenchRun run_bench_loop(std::int64_t times, const Once& once) {
  using Clock = std::chrono::steady_clock;
  bench_sum() = {};
  const auto begin = Clock::now();
  for (std::int64_t i = 0; i < times; ++i) once();
  const auto end = Clock::now();
  return {std::chrono::nanoseconds(end - begin).count(), bench_sum().value()};
}

/// The argument `n` of `bench.run`.
inline std::int64_t bench_times(Arguments& arguments) {
  const std::int64_t times = arguments.integer("n");
  if (times < 1) throw InvalidArgument("bench.run: 'n' must be at least 1");
  return times;
}

/// The reply's fields, for loops that ran in C++.
inline Fields to_fields(const BenchRun& run) {
  return {{"ns", run.elapsed_ns},
          {"checksum", static_cast<std::int64_t>(run.checksum)},
          {"via", "c++"}};
}

}  // namespace assay
