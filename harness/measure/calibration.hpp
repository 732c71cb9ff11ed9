// The overhead of measuring in this process: the clock, an empty loop, a call through a pointer;
// and the subject without a runtime by which the last two are measured.
#pragma once

#include <memory>
#include <vector>

#include "harness/measure/timed_loop.hpp"
#include "harness/subject/subject.hpp"

namespace assay::measure {

/// Answers `hello`, `reset` and `bench.run`, for loops that plain function pointers can express.
std::unique_ptr<Subject> make_bare_calls();

/// Nanoseconds, one value per sample.
struct Calibration {
  std::vector<double> timer_cost;  ///< of reading the clock
  double timer_resolution = 0;     ///< the smallest observed step of the clock
  std::vector<double> empty_loop;  ///< per iteration
  std::vector<double> null_call;   ///< per call through a function pointer
};

/// Measures with the clock that the loops of C++ subjects use.
Calibration calibrate(const TimingOptions& options);

}  // namespace assay::measure
