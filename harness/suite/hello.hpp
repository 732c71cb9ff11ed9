// The first exchange: who the subject is, and which contracts it can hold to.
#pragma once

#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// Asks for `wanted`. What the subject leaves out of its contract is taken from `wanted`. Throws
/// BadReply when the answer is no `hello`, LinkBroken when there is none.
SubjectInfo say_hello(Link& link, const Contract& wanted);

/// The contracts among the answers to each of `wanted`, without repetition, in that order. A
/// subject that states its own contract answers with that one only.
std::vector<Contract> offered_contracts(Link& link, const std::vector<Contract>& wanted);

}  // namespace assay
