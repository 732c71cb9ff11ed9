// Where this program's own output goes.
#pragma once

#include <cstdio>

namespace assay {

/// Standard output and standard error of the program, whatever descriptors 1 and 2 are by now.
std::FILE* own_output();
std::FILE* own_errors();

/// What else is in this process writes to descriptors 1 and 2: from now on into `descriptor`, where
/// somebody looks at it before it gets to a terminal or a log. Call before there are threads.
void leave_standard_streams_to(int descriptor);

}  // namespace assay
