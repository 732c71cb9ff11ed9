// UTF-8 as required by JSON: no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

/// The length of the well-formed sequence at the beginning of `text`; 0 if there is none. `text`
/// must not be empty.
std::size_t utf8_sequence(std::string_view text);

/// The character encoded by the well-formed sequence `sequence`.
std::uint32_t code_point(std::string_view sequence);

/// How many bytes at the beginning are visible ASCII, blanks, tabs or line breaks, which need no
/// second look.
std::size_t plain_length(std::string_view text);

/// True for invisible characters that change how a terminal or a page shows others: C1 controls,
/// direction marks, line separators, tags.
bool misleads(std::uint32_t code_point);

/// Makes text safe for display: control characters other than line breaks
/// and tabs, and invalid UTF-8, become `\x1b`; C1 controls, direction
/// marks, line separators and invisible tags become `\u{202e}`. Thus a
/// subject cannot control a terminal or show text in another order.
/// Idempotent.
std::string printable(std::string_view text);

}  // namespace assay
