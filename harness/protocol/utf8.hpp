// UTF-8 as JSON demands it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

/// Length of the well-formed sequence that `text` begins with; 0 when there is none. `text` must
/// not be empty.
std::size_t utf8_sequence(std::string_view text);

}  // namespace assay
