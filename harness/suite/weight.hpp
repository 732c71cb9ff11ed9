// How much memory a reply holds.
#pragma once

#include <cstddef>

#include "harness/protocol/message.hpp"

namespace assay {

/// About the bytes that the reply occupies: its values, texts and tensors.
std::size_t weight_of(const Reply& reply);

}  // namespace assay
