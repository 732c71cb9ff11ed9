// The sweeps whose expected digests are committed: their elements, and the expected results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scripts/digests/rounding.hpp"

namespace assay::digests {

/// Element i of the input has bits `start + i * step`, cut to the width of `from`. It is widened or
/// narrowed through the formats of `through`, after a product with `factor` (bits of a float32)
/// where there is one.
struct Sweep {
  std::string name;
  Format from;
  std::vector<Format> through;
  std::uint64_t elements;
  std::uint64_t block;
  std::uint64_t start = 0;
  std::uint64_t step = 1;
  bool has_factor = false;
  std::uint32_t factor = 0;

  std::uint64_t blocks() const { return elements / block; }
};

/// By file: `narrow_float16`, `narrow_bfloat16`, `samples`, `unscale`; empty for other names.
std::vector<Sweep> sweeps_of(const std::string& file);

/// CRC-32 of one block of results: little-endian, NaNs canonical.
std::uint32_t block_digest(const Sweep& sweep, std::uint64_t block);

}  // namespace assay::digests
