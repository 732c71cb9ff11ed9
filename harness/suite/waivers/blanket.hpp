// The requirements for a valid waiver: texts by its author, and a specific failure.
#pragma once

#include <string>
#include <string_view>

#include "harness/suite/waivers/waivers.hpp"

namespace assay {

/// Placeholders written by `assay waivers suggest` for the author to replace.
inline constexpr const char* kUnwrittenReason = "write why this is accepted";
inline constexpr const char* kUnwrittenLink = "write where it is discussed";
inline constexpr const char* kUnwrittenOwner = "write who removes this";

/// True if the text is blank or begins with a placeholder such as "TBD".
bool is_unwritten(std::string_view text);

/// Why the waiver is rejected; empty if it is valid. A waiver names a case or a cause: one of
/// several cases must have a signature that no common failure fits. Placeholder texts are rejected.
std::string refusal_of(const Waiver& waiver);

}  // namespace assay
