// Base64 (RFC 4648, with padding), used in `data:` links.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::page {

std::string to_base64(std::string_view bytes);

/// Nothing if the text is not valid base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace assay::page
