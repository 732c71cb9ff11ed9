// What measuring itself costs in this process: the clock, an empty loop, a call through a pointer.
#pragma once

#include <vector>

#include "harness/measure/timed_loop.hpp"

namespace assay::measure {

/// Nanoseconds, a number a sample.
struct Calibration {
  std::vector<double> timer_cost;  ///< of reading the clock
  double timer_resolution = 0;     ///< the smallest step of the clock that was seen
  std::vector<double> empty_loop;  ///< of an iteration
  std::vector<double> null_call;   ///< of a call through a function pointer
};

/// Of the clock that the loops of C++ subjects read.
Calibration calibrate(const TimingOptions& options);

}  // namespace assay::measure
