// A guard before readers that make a tree: files come from anywhere.
#pragma once

#include <string_view>

namespace assay {

/// Deeper than anything that this project writes.
inline constexpr std::size_t kDeepestJson = 512;

/// Throws MalformedMessage when objects and lists nest deeper than that, or an object has a name
/// twice, of which a tree would keep one and lose the other. Says nothing about a text that is no
/// JSON.
void guard_json(std::string_view text);

}  // namespace assay
