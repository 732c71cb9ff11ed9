// Counts instructions: each loop runs n and 2n iterations, so that the cost of start-up cancels.
#pragma once

#include <cstdint>
#include <functional>

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

}  // namespace assay::bench
