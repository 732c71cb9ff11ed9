// Whether a text is the reply to a command: the client's side of both transports that carry text.
#pragma once

#include <string_view>

#include "harness/protocol/message.hpp"

namespace assay {

/// Throws MalformedMessage when the text is not a reply, or carries another id. A subject that
/// could not read the id answers `invalid` without one: that is accepted.
Reply checked_reply(std::string_view text, const Command& command);

}  // namespace assay
