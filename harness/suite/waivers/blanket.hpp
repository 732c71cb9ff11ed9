// What a waiver must say to be one: words of its author, and which failure it is for.
#pragma once

#include <string>
#include <string_view>

#include "harness/suite/waivers/waivers.hpp"

namespace assay {

/// What `assay waivers suggest` writes where the author has to.
inline constexpr const char* kUnwrittenReason = "write why this is accepted";
inline constexpr const char* kUnwrittenLink = "write where it is discussed";
inline constexpr const char* kUnwrittenOwner = "write who removes this";

/// Is it blank, or begins with a word such as "TBD", so that its author is still to write it?
bool is_unwritten(std::string_view text);

/// A sentence on why the waiver is refused; empty when it is not. Refused are texts that still wait
/// for their author, and waivers that any failure would have: the more cases one covers, the more
/// its signature must say.
std::string refusal_of(const Waiver& waiver);

}  // namespace assay
