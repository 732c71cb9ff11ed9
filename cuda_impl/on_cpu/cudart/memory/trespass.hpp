// What is said when somebody touches memory that is not there for him.
#pragma once

namespace assay::cuda::on_cpu {

/// From now on, before a segmentation fault ends the process, where it happened is said on standard
/// error. Does nothing under a sanitizer, which says more.
void watch_for_trespass();

}  // namespace assay::cuda::on_cpu
