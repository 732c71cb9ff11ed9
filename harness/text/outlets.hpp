// The destination of this program's own output.
#pragma once

#include <cstdio>

namespace assay {

/// The program's standard output and standard error, even if descriptors 1 and 2 are redirected.
std::FILE* own_output();
std::FILE* own_errors();

/// Redirects descriptors 1 and 2, which libraries in this process use, to `descriptor`, so that
/// their output is filtered before it reaches a terminal or a log. Call before any thread starts.
void leave_standard_streams_to(int descriptor);

}  // namespace assay
