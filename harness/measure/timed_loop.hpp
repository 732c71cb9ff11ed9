// Times a loop: checked first, then driven by Google Benchmark with the subject's own clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/measure/loops.hpp"
#include "harness/measure/nvml.hpp"
#include "harness/subject/link/link.hpp"

namespace assay::measure {

struct TimingOptions {
  int samples = 20;
  /// A sample is one batch, and lasts at least so long.
  std::chrono::nanoseconds min_time{2'500'000};
};

struct TimedLoop {
  /// Nanoseconds of an iteration. Fewer than were asked for where the loop became so slow that the
  /// rest would take too long.
  std::vector<double> samples;
  std::int64_t iterations = 0;  ///< of a sample
  std::string via;              ///< the language of the loop
  /// Behind each sample, where the GPU tells its clock.
  std::vector<std::int64_t> sm_clocks_mhz;
  std::vector<std::string> throttled_by;  ///< what held GPUs back behind any of them
};

/// The clock of the machine's GPU; none where it has none.
using ClockReader = std::function<GpuClock()>;

/// Google Benchmark grows a batch until it is long enough, which warms the loop up, and repeats it
/// for each sample; its manual time is what the subject says. Each batch shows by its checksum that
/// it did what it should. One at a time in a process. Throws LoopFailed, LoopMissing, NoTime and
/// LinkBroken.
TimedLoop time_loop(Link& link, const LoopCall& call, const TimingOptions& options,
                    const ClockReader& read_clock = nullptr);

}  // namespace assay::measure
