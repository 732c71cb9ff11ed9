// UTF-8 as JSON demands it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

/// Length of the well-formed sequence that `text` begins with; 0 when there is none. `text` must
/// not be empty.
std::size_t utf8_sequence(std::string_view text);

/// The character that the well-formed sequence `sequence` encodes.
std::uint32_t code_point(std::string_view sequence);

/// For people: control characters other than line breaks and tabs, and bytes that are no UTF-8, are
/// written as `\x1b`; C1 controls, marks of writing direction, line separators and invisible tags
/// as
/// `\u{202e}`. So no subject can make a terminal do anything, or show text in another order than it
/// has. Applied twice it does what it does once.
std::string printable(std::string_view text);

}  // namespace assay
