// Counts instructions: each loop runs n and 2n iterations, so that the cost of start-up cancels.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

/// n. Large enough that differences between two replies (such as the digits of a time) vanish when
/// the count is divided by n and rounded to half an instruction.
inline constexpr std::int64_t kCountedCalls = 1000;

/// Counts the instructions of a fresh process, from start to exit, that runs `times` iterations of
/// `loop`. Throws LinkBroken, WorkerError, measure::LoopFailed and Interrupted.
using Counter = std::function<std::int64_t(const Contender&, const measure::LoopCall& loop,
                                           std::int64_t times)>;

/// Measures `instr.count` of every case for every contender. A worker outside Valgrind checks each
/// case first, so that an unsupported case costs no slow process. Each of the `plan.processes`
/// rounds then takes the difference between a process of 2n iterations and one of n. Loops in
/// Python are `unsupported`: the count would be that of the interpreter.
Measured count(const Plan& plan, const Counter& counter);

// One process, with Valgrind's Callgrind.

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

// `assay bench --count`: instruction counts instead of times.

/// The number of processes per case: `said`, or the default where `said` is 0. Throws UsageError.
int counts_for(int said, bool quick);

/// Throws UsageError if the user `said` options that apply only to times.
void refuse_timing(bool said);

/// Throws UsageError if Valgrind is missing or a subject is not a native program.
void refuse_uncountable(const Plan& plan);

/// Throws UsageError if Valgrind is missing.
void refuse_without_valgrind(const char* option);

Measured count_instructions(const Plan& plan);

/// Counts the instructions of what an audited run has timed on the host in C++, and refuses times
/// in which they cannot have been executed, and loops without enough of them.
void audit_by_counts(const Plan& plan, Measured& measured);

}  // namespace assay::bench
