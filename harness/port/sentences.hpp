// The part of a clause that speaks of releases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// The sentences of a clause that name a release after `older` up to `newer`, or say what holds
/// until `older`. What was run is no release: neither `[R 2.13.0]` nor 2.13.0 outside of brackets.
std::vector<std::string> sentences_about(std::string_view clause, Release older, Release newer);

}  // namespace assay
