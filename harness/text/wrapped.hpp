// Breaks text into lines for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// Breaks `text`, made printable, at spaces (or elsewhere if necessary) into lines of at most
/// `width` columns, indented by `indent` spaces; after `most` lines it is truncated with `…` and
/// its size. The result is not empty and ends in a line break.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width, std::size_t most);

/// The same for JSON, or text that contains JSON: lines break only between tokens, and a string
/// longer than a line is shown by its beginning and its length.
std::string wrapped_json(std::string_view text, std::size_t indent, std::size_t width,
                         std::size_t most);

}  // namespace assay
