// The message for an access to device memory that is not allowed.
#pragma once

namespace assay::cuda::on_cpu {

/// From now on, before a segmentation fault ends the process, where it happened is said on standard
/// error. Does nothing under a sanitizer, which says more.
void watch_for_trespass();

}  // namespace assay::cuda::on_cpu
