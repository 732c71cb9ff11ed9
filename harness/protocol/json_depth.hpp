// A guard before readers that recurse: files come from anywhere.
#pragma once

#include <string_view>

namespace assay {

/// Deeper than anything that this project writes.
inline constexpr std::size_t kDeepestJson = 512;

/// Throws MalformedMessage when objects and lists nest deeper than that. Says nothing about a text
/// that is no JSON.
void refuse_deep_nesting(std::string_view text);

}  // namespace assay
