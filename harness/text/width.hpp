// The width of text on a terminal: measured, cut, and broken into lines.
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

/// Breaks `text`, made printable, at spaces (or elsewhere if necessary) into lines of at most
/// `width` columns, indented by `indent` spaces; after `most` lines it is truncated with `…` and
/// its size. The result is not empty and ends in a line break.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width, std::size_t most);

/// The same for JSON, or text that contains JSON: lines break only between tokens, and a string
/// longer than a line is shown by its beginning and its length.
std::string wrapped_json(std::string_view text, std::size_t indent, std::size_t width,
                         std::size_t most);

}  // namespace assay
