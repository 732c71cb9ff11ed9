// Counts the instructions of a process with Valgrind's Callgrind.
#pragma once

#include <chrono>
#include <string>

#include "harness/bench/count/count.hpp"

namespace assay::bench {

struct CallgrindOptions {
  std::string valgrind = "valgrind";
  /// The limit for one reply, and for the exit: a process runs about fifty times slower.
  std::chrono::milliseconds timeout{300'000};
  const StopSignal* stop = nullptr;
};

/// Starts `contender.program` under Callgrind with an environment of only PATH and
/// LD_LIBRARY_PATH. Valgrind places program, heap and stack at the same addresses in every run,
/// independent of address randomization. Valgrind runs one thread at a time, as a single stream of
/// instructions.
Counter callgrind(const CallgrindOptions& options);

/// The instruction total from Callgrind's output. Throws WorkerError if it contains none.
std::int64_t total_of(const std::string& callgrind_out);

}  // namespace assay::bench
