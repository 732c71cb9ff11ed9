// How a case failed, in a number that can be compared with how it failed on another subject.
#pragma once

#include <cstdint>
#include <string>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// A failure that is like no other: one without a wrong value, such as a crash.
inline constexpr std::uint32_t kNoSymptom = 0;

/// Equal for failures at the same step with the same wrong value, or the same kind of error. 24
/// bits. What the subject words itself, such as the message of an error, does not count.
std::uint32_t symptom_of(const CaseResult& failed);

/// The sentence of a failure without what the subject words itself, and without the numbers of
/// repeated runs.
std::string own_words(const std::string& sentence);

}  // namespace assay
