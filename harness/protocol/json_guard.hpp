// A check before parsing to a tree, because files are untrusted input.
#pragma once

#include <string_view>

namespace assay {

/// Deeper than any file of this project.
inline constexpr std::size_t kDeepestJson = 512;

/// A value of a tree needs up to 72 bytes, for a text of two. The largest records have a fifth of
/// this.
inline constexpr std::size_t kMostJsonValues = 8'000'000;

/// Throws MalformedMessage if objects and lists nest deeper, if there are more values, or if an
/// object has a duplicate name, which a tree would silently drop. Does not check whether the text
/// is valid JSON.
void guard_json(std::string_view text);

/// For a text of several lines of JSON that are all kept: throws MalformedMessage if there are more
/// values in all of them together, about.
void guard_json_lines(std::string_view text);

}  // namespace assay
