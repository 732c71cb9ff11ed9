// Whether two subjects answered the same: by what is comparable in a reply, not by its text.
#pragma once

#include <optional>
#include <string>

#include "harness/check/compare.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// Nothing when they agree. Messages of errors are for people and do not count; fields that one
/// side is blind to, and counts that only one side has, do not either.
std::optional<Difference> compare_replies(const Command& command, const Reply& got,
                                          const Reply& wanted);

}  // namespace assay
