// What a session looks at in every reply: whether it has all that it must have, because a case may
// read only a part of it and an absent result must not pass for an empty one; and how large it is.
#pragma once

#include <cstddef>

#include "harness/protocol/message.hpp"

namespace assay {

/// Throws BadReply if the `ok` reply, or one of those of its block, lacks a field that the table of
/// the command requires and to which the subject is not blind.
void refuse_incomplete(const Command& command, const Reply& reply);

/// About the bytes of memory that the reply occupies: its values, texts and tensors.
std::size_t weight_of(const Reply& reply);

}  // namespace assay
