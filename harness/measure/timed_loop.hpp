// Times a loop with Google Benchmark and the subject's own clock, after checking its result.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/measure/loops.hpp"
#include "harness/measure/nvml.hpp"
#include "harness/protocol/message.hpp"
#include "harness/subject/link/link.hpp"

namespace assay {

/// For subjects that do not state their own. It stays that of the first baselines, because numbers
/// of different contracts are not compared.
inline constexpr Contract kTimedContract{.release = Release::k2_11};

}  // namespace assay

namespace assay::measure {

struct TimingOptions {
  int samples = 20;
  /// The minimum duration of a sample, which is one batch.
  std::chrono::nanoseconds min_time{2'500'000};
  /// The iterations of each sample, as found by an earlier call for the same loop: batches do not
  /// grow, and the loop is not checked again before it is timed. 0: batches grow.
  std::int64_t iterations = 0;
};

/// The longest time that all samples may take together: a loop may become slower than it was when
/// its batches were sized.
std::chrono::nanoseconds most_time(const TimingOptions& options);

struct TimedLoop {
  /// Nanoseconds per iteration. Fewer samples than requested if the loop became so slow that the
  /// rest would have taken too long.
  std::vector<double> samples;
  std::int64_t iterations = 0;  ///< per sample
  std::string via;              ///< the language of the loop
  /// One clock for each sample, if the GPU reports its clock.
  std::vector<std::int64_t> sm_clocks_mhz;
  std::vector<std::string> throttled_by;  ///< why GPUs were throttled during the samples
};

/// Reads the clock of the machine's GPU; null if there is none.
using ClockReader = std::function<GpuClock()>;

/// Google Benchmark calibrates the batch size, which also warms the loop up, then runs one batch
/// per sample; its manual time is the time that the subject reports. The checksum of every batch is
/// verified. Not reentrant within a process. Throws LoopFailed, LoopMissing, TimeNotMeaningful and
/// LinkBroken.
TimedLoop time_loop(Link& link, const LoopCall& call, const TimingOptions& options,
                    const ClockReader& read_clock = nullptr);

}  // namespace assay::measure
