// A program with its replies, as the body of a case.
#pragma once

#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/suite/session.hpp"

namespace assay {

using Exchanges = std::vector<std::pair<Command, Reply>>;

/// Each command in turn; the replies must be those of the program, by the marks of the schema.
/// Throws CheckFailed at the first that is not, Unsupported where the subject lacks what was asked.
void replay(Session& subject, const Exchanges& exchanges);

}  // namespace assay
