// How much room a text takes on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// Columns of well-formed UTF-8 without control characters: two for a wide character (CJK, emoji),
/// none for one that joins the character before it.
std::size_t columns_of(std::string_view text);

/// How many bytes of `text` fit into `room` columns; whole characters only.
std::size_t fitting(std::string_view text, std::size_t room);

/// One line of at most `room` columns that nothing in `text` can break or paint; what is too long
/// ends in `…`.
std::string cut_to(std::string_view text, std::size_t room);

}  // namespace assay
