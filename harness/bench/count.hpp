// A run that counts instructions: each loop at n and at 2n iterations, so that start-up cancels.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"

namespace assay::bench {

/// n. Large enough that what differs between two replies (the digits of a time) vanishes when it is
/// divided by n and rounded to half an instruction.
inline constexpr std::int64_t kCountedCalls = 1000;

/// Instructions of a fresh process from its start to its end, which runs `times` iterations of
/// `loop` in between. Throws LinkBroken, WorkerError, measure::LoopFailed and Interrupted.
using Counter = std::function<std::int64_t(const Contender&, const measure::LoopCall& loop,
                                           std::int64_t times)>;

/// `instr.count` of every case of every contender. A worker that is not counted first checks the
/// case, so what a subject does not have costs no slow process. Then each of `plan.processes`
/// rounds takes the difference of a process of 2n iterations and one of n. Loops in Python are
/// `unsupported`: they would count an interpreter.
Measured count(const Plan& plan, const Counter& counter);

}  // namespace assay::bench
