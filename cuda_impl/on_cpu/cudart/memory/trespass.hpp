// The report of an invalid access to device memory.
#pragma once

namespace assay::cuda::on_cpu {

/// Before a segmentation fault ends the process, prints the location to standard error. Has no
/// effect with a sanitizer, whose reports are more detailed.
void watch_for_trespass();

}  // namespace assay::cuda::on_cpu
