// Replays a program with its replies, as the body of a case.
#pragma once

#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/suite/session.hpp"

namespace assay {

using Exchanges = std::vector<std::pair<Command, Reply>>;

/// True for a command whose reply may differ from the recorded one.
using MayDiffer = bool (*)(const Command&);

/// Sends each command and compares its reply with that of the program, by the comparison marks of
/// the schema. Throws CheckFailed at the first difference that `may_differ` does not permit,
/// Unsupported for an unsupported command. At the end, throws NotShown for what the subject did not
/// show, unless `may_differ` permits it. Returns true if all replies are equal and complete.
bool replay(Session& subject, const Exchanges& exchanges, MayDiffer may_differ = nullptr);

}  // namespace assay
