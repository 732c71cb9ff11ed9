// Helpers for litmus cases: running a program under a schedule, and comparing its outcome with the
// permitted ones.
#pragma once

#include <functional>

#include "harness/suite/cases.hpp"
#include "harness/suite/litmus/rows.hpp"
#include "harness/suite/litmus/run.hpp"

namespace assay::suites {

/// A case for a row. Per-thread default streams have ids since 2.4 (STR-010).
void row_case(const LitmusRow& row, void (*body)(Session&, const LitmusRow&),
              std::source_location where = std::source_location::current());

/// Runs `body` under each kind of schedule of a simulated machine, some of them random; once on a
/// real one.
void under_schedules(Session& subject, std::uint64_t random_ones,
                     const std::function<void()>& body);

/// Runs a program whose gates must open in time; if a gate times out, runs it again with a longer
/// time-out. If that fails too, a call blocks that must not block, and the case fails.
litmus::Outcome shown_in_time(Session& subject, const litmus::Program& program,
                              const std::function<litmus::Outcome(LitmusRun&)>& run);

/// Two searches must find the same outcomes.
void expect_agreement(const litmus::Permitted& got, const litmus::Permitted& wanted,
                      Where where = Where::current());
void expect_permitted(const litmus::Outcome& seen, const litmus::Permitted& permitted,
                      Where where = Where::current());

}  // namespace assay::suites
