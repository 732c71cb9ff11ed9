// Clocks of the loops on devices.
#pragma once

#include <cstdint>

#include "cuda_impl/subject/bench/work.hpp"

namespace assay::cuda {

enum class BenchClock : std::uint8_t {
  kLaunch,  ///< the host's, for the calls alone: the queue never fills
  kSubmit,  ///< the host's, for all calls and one wait
  kSync,    ///< the host's, with a wait after each call
  kDevice,  ///< the device's, for replays of captured calls
  kCold,    ///< the device's, between two events around each call, behind a write over the L2 cache
};

/// Iterations between two waits, where the clock stands while the host waits: far fewer than a
/// queue holds.
inline constexpr std::int64_t kMostQueued = 128;

/// Restores, iterates, waits: nanoseconds of all iterations. A step of the checksum for each: what
/// `queue` says, or 1 where it is a replay.
/// Restoring counts nothing.
std::int64_t time_on(BenchClock clock, BenchWork& work, std::int64_t times, Release release);

}  // namespace assay::cuda
