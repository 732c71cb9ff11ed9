// A subject at the end of a link, served over a pipe.
#pragma once

#include "harness/subject/link/link.hpp"

namespace assay {

/// As serve(Subject&), for a plugin for instance. What breaks the link ends the loop with a word on
/// standard error.
int serve(Link& link);

}  // namespace assay
