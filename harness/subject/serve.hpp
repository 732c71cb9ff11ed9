// The other end of the process transport: a C++ program becomes a subject in a few lines.
#pragma once

#include "harness/subject/subject.hpp"

namespace assay {

/// Answers on standard output what comes on standard input, until it ends. Returns the exit status
/// for `main`. Standard output is taken over: whatever else the program prints there goes to
/// standard error.
int serve(Subject& subject);

/// The same over given file descriptors.
int serve(Subject& subject, int input, int output);

}  // namespace assay
