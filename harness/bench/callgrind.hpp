// Counting the instructions of a process with Valgrind's Callgrind.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/bench/count.hpp"

namespace assay::bench {

struct CallgrindOptions {
  std::string valgrind = "valgrind";
  /// For one reply, and for the end: a process is some fifty times slower.
  std::chrono::milliseconds timeout{300'000};
  const StopSignal* stop = nullptr;
};

/// Starts `contender.program` under Callgrind, with nothing of this environment but PATH and
/// LD_LIBRARY_PATH. Valgrind places program, heap and stack at the same addresses each time,
/// whatever the system does with others. Threads take turns there, one instruction stream at a
/// time.
Counter callgrind(const CallgrindOptions& options);

/// The total in what Callgrind wrote. Throws WorkerError where there is none.
std::int64_t total_of(const std::string& callgrind_out);

}  // namespace assay::bench
