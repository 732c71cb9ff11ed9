// Checks that a text is the reply to a command; for both transports that carry text.
#pragma once

#include <string_view>

#include "harness/protocol/message.hpp"

namespace assay {

/// Throws MalformedMessage if the text is not a reply or has a different id. Accepts `invalid`
/// without an id, from a subject that could not read the id.
Reply checked_reply(std::string_view text, const Command& command);

}  // namespace assay
