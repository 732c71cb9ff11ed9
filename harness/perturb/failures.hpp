// Programs of which each command first fails, because a call of the driver does or because a
// callable raises.
#pragma once

#include <vector>

#include "harness/perturb/attempts.hpp"

namespace assay {

/// True if the subject can make calls of its driver fail, and the program can be sent with failing
/// calls: it plans no failures itself, and its replies are always the same.
bool bears_failures(const std::vector<Exchange>& program, const SubjectInfo& info);

/// Sends the program so that each command fails at its first driver call, then at its second, and
/// so on, until it no longer fails; then its reply must be that of `program`. A failed attempt must
/// raise an error with the call's code and leave the thread as it was, and the same attempt again
/// must leave no further objects.
/// Adds the attempts that failed to `failed`, also if it throws CheckFailed.
void send_with_failures(Session& session, const std::vector<Exchange>& program,
                        const Choice& choice, std::vector<Failed>& failed);

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
