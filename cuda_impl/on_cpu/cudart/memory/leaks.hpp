// The leak report at process exit.
#pragma once

namespace assay::cuda::on_cpu {

/// At process exit, prints all live objects to standard error if ASSAY_ON_CPU_LEAKS is `say` or
/// `fail`; with `fail`, the exit status is 66.
void watch_for_leaks();

}  // namespace assay::cuda::on_cpu
