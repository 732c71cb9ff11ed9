// Base64 as data: addresses have it (RFC 4648, with padding).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::page {

std::string to_base64(std::string_view bytes);

/// Nothing when the text is not the base64 of any bytes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace assay::page
