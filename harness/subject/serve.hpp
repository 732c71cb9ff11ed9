// The subject's end of the process transport: turns a C++ program into a subject.
#pragma once

#include "harness/subject/subject.hpp"

namespace assay {

/// Reads commands from standard input until it ends, and replies on standard output. Returns the
/// exit status for `main`. Takes over standard output: other output of the program goes to standard
/// error.
int serve(Subject& subject);

/// The same with the given file descriptors.
int serve(Subject& subject, int input, int output);

}  // namespace assay
