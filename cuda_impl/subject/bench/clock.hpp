// The clocks of device loops.
#pragma once

#include <cstdint>

#include "cuda_impl/subject/bench/work.hpp"

namespace assay::cuda {

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

/// Restores, iterates and waits; returns the nanoseconds of all iterations. Adds one step to the
/// checksum for each: the result of `queue`, or 1 for a replay. Restoring is not counted. Throws
/// NotSupported for CUPTI's clocks if CUPTI cannot be used; a simulated device gives 0 for them.
std::int64_t time_on(BenchClock clock, BenchWork& work, std::int64_t times, Release release);

}  // namespace assay::cuda
