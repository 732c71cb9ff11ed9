// Serves the subject behind a link over a pipe.
#pragma once

#include "harness/subject/link/link.hpp"

namespace assay {

/// Like serve(Subject&), for example for a plugin. If the link breaks, prints the reason on
/// standard error and returns.
int serve(Link& link);

}  // namespace assay
