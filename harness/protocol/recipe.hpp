// Large tensors: generated from a few numbers, and summarized by a few.
#pragma once

#include <cstdint>

#include "harness/protocol/value.hpp"

namespace assay {

/// The bits of element `index`, before truncation to the element's width. All arithmetic wraps at
/// 64 bits. Ignores the exceptions in `recipe.set`.
std::uint64_t recipe_bits(const Recipe& recipe, std::uint64_t index);

/// The tensor with `data` instead of its recipe.
TensorValue materialize(const TensorValue& tensor);

/// Maps NaNs of any payload and sign to one: 7e00, 7fc0, 7fc00000 or 7ff8000000000000.
std::uint64_t canonical_bits(Dtype dtype, std::uint64_t bits);

/// The digest of `data`, which must be present: one sum per `block` elements or remaining ones.
Digest digest_of(const TensorValue& tensor, std::uint64_t block, bool keep_nan_payloads = false);

}  // namespace assay
