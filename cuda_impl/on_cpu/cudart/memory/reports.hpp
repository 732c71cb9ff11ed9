// The reports about device memory: leaks at process exit, and invalid accesses.
#pragma once

namespace assay::cuda::on_cpu {

/// At process exit, prints all live objects to standard error if ASSAY_ON_CPU_LEAKS is `say` or
/// `fail`; with `fail`, the exit status is 66.
void watch_for_leaks();

/// Before a segmentation fault ends the process, prints the location to standard error. Has no
/// effect with a sanitizer, whose reports are more detailed.
void watch_for_trespass();

}  // namespace assay::cuda::on_cpu
