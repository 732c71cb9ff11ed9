// Formats values for output: hexadecimal and decimal side by side.
#pragma once

#include <cstdint>
#include <string>

#include "harness/protocol/value.hpp"

namespace assay {

/// `3f800000 (1)`
std::string element_in_words(Dtype dtype, std::uint64_t bits);

}  // namespace assay
