// A check before parsing to a tree, because files are untrusted input.
#pragma once

#include <string_view>

namespace assay {

/// Deeper than any file of this project.
inline constexpr std::size_t kDeepestJson = 512;

/// Throws MalformedMessage if objects and lists nest deeper, or if an object has a duplicate name,
/// which a tree would silently drop. Does not check whether the text is valid
/// JSON.
void guard_json(std::string_view text);

}  // namespace assay
