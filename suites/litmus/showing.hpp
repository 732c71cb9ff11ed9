// What the litmus cases have in common: running a program under a schedule, and holding what it
// showed against what it may show.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "harness/suite/cases.hpp"
#include "harness/suite/litmus/rows.hpp"
#include "harness/suite/litmus/run.hpp"

namespace assay::suites {

/// A case for a row. Default streams of threads have ids since 2.4 (STR-010).
void row_case(const LitmusRow& row, void (*body)(Session&, const LitmusRow&),
              std::source_location where = std::source_location::current());

/// `body` under each of the schedules of a simulated machine, some of them random; on a real one,
/// once.
void under_schedules(Session& subject, std::uint64_t random_ones,
                     const std::function<void()>& body);

/// Runs what needs gates to be opened in time; a second time, with more of it, when one gave up.
/// Fails when that does not help: then a call waits for what it must not wait for.
litmus::Outcome shown_in_time(Session& subject, const litmus::Program& program,
                              const std::function<litmus::Outcome(LitmusRun&)>& run);

/// Two searches found the same.
void expect_agreement(const litmus::Permitted& got, const litmus::Permitted& wanted,
                      Where where = Where::current());
void expect_permitted(const litmus::Outcome& seen, const litmus::Permitted& permitted,
                      Where where = Where::current());

}  // namespace assay::suites
