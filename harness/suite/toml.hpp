// Parses TOML files that a user has written: waivers, support lists, thresholds, expectations.
#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace assay {

/// The only way to read TOML here. Throws std::runtime_error, `name:line:column: reason`, if the
/// text is not TOML, or is longer or nests deeper than any file needs: toml++ needs a hundred bytes
/// for two, and copies and destroys tables recursively, so a key of 50,000 parts would end the
/// process.
toml::table toml_from(std::string_view text, std::string_view name);

}  // namespace assay
