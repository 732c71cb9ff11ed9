// What is said of things that are still alive when the process ends.
#pragma once

namespace assay::cuda::on_cpu {

/// At the end of the process, what is alive is said on standard error where ASSAY_ON_CPU_LEAKS is
/// `say` or `fail`; with `fail` the process then ends with status 66.
void watch_for_leaks();

}  // namespace assay::cuda::on_cpu
