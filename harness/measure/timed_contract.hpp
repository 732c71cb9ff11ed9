// The contract under which loops are timed.
#pragma once

#include "harness/protocol/message.hpp"

namespace assay {

/// For subjects that do not state their own. It stays that of the first baselines, because numbers
/// of different contracts are not compared.
inline constexpr Contract kTimedContract{.release = Release::k2_11};

}  // namespace assay
