// Text broken into lines of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// Breaks `text`, made printable, at spaces (or where it must) into lines of at most `width`
/// columns, each behind `indent` spaces; after `most` lines it is cut with `…` and its size. Never
/// empty, and ends in a line break.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width, std::size_t most);

/// The same for JSON, or text that holds some: lines break between tokens only, and a string that
/// fills more than a line is shown by its beginning and its length.
std::string wrapped_json(std::string_view text, std::size_t indent, std::size_t width,
                         std::size_t most);

}  // namespace assay
