// UTF-8 as JSON demands it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// Length of the well-formed sequence that `text` begins with; 0 when there is none. `text` must
/// not be empty.
std::size_t utf8_sequence(std::string_view text);

/// For people: control characters other than line breaks and tabs, and bytes that are no UTF-8, are
/// written as `\x1b`, so that no subject can make a terminal do anything.
std::string printable(std::string_view text);

}  // namespace assay
