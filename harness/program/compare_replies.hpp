// Decides whether two subjects gave equivalent replies.
#pragma once

#include <optional>

#include "harness/check/compare.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// Nothing if they agree. Ignores error messages, fields that one side cannot observe, and counts
/// that only one side reports.
std::optional<Difference> compare_replies(const Command& command, const Reply& got,
                                          const Reply& wanted);

}  // namespace assay
