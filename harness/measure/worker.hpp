// The worker process of `assay bench`: times the loops of one subject on request.
#pragma once

#include <memory>

#include "harness/measure/timed_loop.hpp"
#include "harness/subject/link/link.hpp"

namespace assay::measure {

/// Answers `hello`, `reset` and `bench.run` through `link`, and adds these commands:
///
///   bench.calibrate {samples, min_time_ns}   timer_cost_ns, empty_loop_ns, null_call_ns: lists of
///                                            floats; timer_resolution_ns; takes_iterations
///   bench.measure {loop, samples, min_time_ns}   samples: list of floats; iterations; via. Other
///                                            arguments belong to the loop, except `iterations`,
///                                            which repeats that of an earlier reply for the same
///                                            loop. If it ran correctly on a simulated device:
///                                            no_time. If a GPU reports its clock: sm_clocks_mhz,
///                                            one per sample; if it was throttled: throttled_by
///   bench.build {}   the fields of `build`, which describe this program
///
/// A loop that the subject lacks is `unsupported`; a loop that fails or has a wrong checksum is an
/// error. A subject in its own process is restarted after it dies.
std::unique_ptr<Subject> make_worker(std::unique_ptr<Link> link, Fields build = {},
                                     ClockReader read_clock = nullptr);

}  // namespace assay::measure
