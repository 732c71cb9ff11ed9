// The width of a text on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// The columns of well-formed UTF-8 without control characters: two for a wide character (CJK,
/// emoji), none for a combining character.
std::size_t columns_of(std::string_view text);

/// The number of bytes of `text` that fit into `room` columns, without splitting characters.
std::size_t fitting(std::string_view text, std::size_t room);

/// One line of at most `room` columns that nothing in `text` can break or colour; a longer text is
/// cut and ends in `…`.
std::string cut_to(std::string_view text, std::size_t room);

}  // namespace assay
