// Programs of which each callable first raises an error.
#pragma once

#include <vector>

#include "harness/perturb/attempts.hpp"

namespace assay {

/// True if the program makes callables (of kernels, hooks, listeners, custom steps), and its
/// replies are always the same.
bool bears_raising(const std::vector<Exchange>& program, const SubjectInfo& info);

/// Sends the program so that each command that calls a callable first fails in the first one that
/// it calls, and then does not; then its reply must be that of `program`. A failed attempt must
/// raise the callable's error and leave the thread as it was. Adds the attempts that failed to
/// `failed`, also if it throws CheckFailed.
void send_with_raising(Session& session, const std::vector<Exchange>& program, const Choice& choice,
                       std::vector<Failed>& failed);

}  // namespace assay
