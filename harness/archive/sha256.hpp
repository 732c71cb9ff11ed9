// SHA-256, by which records are told apart.
#pragma once

#include <string>
#include <string_view>

namespace assay::archive {

/// 64 hexadecimal digits (FIPS 180-4).
std::string sha256_of(std::string_view text);

}  // namespace assay::archive
