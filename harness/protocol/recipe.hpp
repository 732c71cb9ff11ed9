// Large data: how a tensor is made from a few numbers, and how it is summed up in a few.
#pragma once

#include <cstdint>

#include "harness/protocol/value.hpp"

namespace assay {

/// Bits of element `index`, before they are cut to the width of the element. Everything wraps at 64
/// bits. Exceptions in `recipe.set` are not looked at.
std::uint64_t recipe_bits(const Recipe& recipe, std::uint64_t index);

/// The tensor with `data` in place of its recipe.
TensorValue materialize(const TensorValue& tensor);

/// NaNs of every payload and sign become one: 7e00, 7fc0, 7fc00000 or 7ff8000000000000.
std::uint64_t canonical_bits(Dtype dtype, std::uint64_t bits);

/// Of `data`, which must be there. `block` elements to a sum; the last block may be shorter.
Digest digest_of(const TensorValue& tensor, std::uint64_t block, bool keep_nan_payloads = false);

}  // namespace assay
