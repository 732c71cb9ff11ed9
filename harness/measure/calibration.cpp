// Measures the floors of this process.
#include "harness/measure/calibration.hpp"

#include <algorithm>
#include <limits>

#include "harness/measure/bare_calls.hpp"

namespace assay::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kReads = 2000;

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

double cost_of_a_read() {
  const auto begin = Clock::now();
  auto end = begin;
  for (int i = 0; i < kReads; ++i) end = Clock::now();
  return nanoseconds(end - begin) / kReads;
}

double smallest_step() {
  double smallest = std::numeric_limits<double>::max();
  for (int i = 0; i < kReads; ++i) {
    const auto begin = Clock::now();
    auto end = Clock::now();
    while (end == begin) end = Clock::now();
    smallest = std::min(smallest, nanoseconds(end - begin));
  }
  return smallest;
}

}  // namespace

Calibration calibrate(const TimingOptions& options) {
  Calibration made;
  for (int i = 0; i < options.samples; ++i) made.timer_cost.push_back(cost_of_a_read());
  made.timer_resolution = smallest_step();
  const auto bare = connect_in_process(make_bare_calls);
  made.empty_loop = time_loop(*bare, *find_loop("empty"), options).samples;
  made.null_call = time_loop(*bare, *find_loop("typed_1"), options).samples;
  return made;
}

}  // namespace assay::measure
