// Whether a reply has all that it must have. `Session::send` looks at every reply, because a case
// may read only a part of it: an absent result must not pass for an empty one.
#pragma once

#include "harness/protocol/message.hpp"

namespace assay {

/// Throws BadReply if the `ok` reply, or one of those of its block, lacks a field that the table of
/// the command requires and to which the subject is not blind.
void refuse_incomplete(const Command& command, const Reply& reply);

}  // namespace assay
