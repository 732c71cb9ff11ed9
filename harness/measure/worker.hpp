// What a fresh process of `assay bench` does: times the loops of one subject on demand.
#pragma once

#include <memory>

#include "harness/measure/timed_loop.hpp"
#include "harness/subject/link/link.hpp"

namespace assay::measure {

/// A subject that answers, beside what `link` answers to `hello`, `reset` and `bench.run`:
///
///   bench.calibrate {samples, min_time_ns}   timer_cost_ns, empty_loop_ns, null_call_ns: lists of
///                                            floats; timer_resolution_ns
///   bench.measure {loop, samples, min_time_ns}   samples: list of floats; iterations; via. More
///                                            arguments are the loop's. Where it ran
///                                            right on a simulated device: no_time. Where a GPU
///                                            tells its clock: sm_clocks_mhz, one behind each
///                                            sample; where one was held back: throttled_by
///   bench.build {}   what `build` holds: of this program
///
/// A loop that the subject does not have is `unsupported`; one that raises, or whose checksum is
/// wrong, is an error. A subject in a process of its own is started again when it has died.
std::unique_ptr<Subject> make_worker(std::unique_ptr<Link> link, Fields build = {},
                                     ClockReader read_clock = nullptr);

}  // namespace assay::measure
