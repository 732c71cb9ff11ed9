// Replays a program with its replies, as the body of a case.
#pragma once

#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/suite/session.hpp"

namespace assay {

using Exchanges = std::vector<std::pair<Command, Reply>>;

/// Sends each command and compares its reply with that of the program, by the comparison marks of
/// the schema. Throws CheckFailed at the first difference, Unsupported for an unsupported command.
void replay(Session& subject, const Exchanges& exchanges);

}  // namespace assay
