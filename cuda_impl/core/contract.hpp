// Which PyTorch this runtime is like: a release, with or without its own mistakes.
#pragma once

#include <cstdint>

namespace assay::cuda {

enum class Release : std::uint8_t { k1_13, k2_4, k2_11 };

/// Devices follow the rules of CUDA builds, always.
struct Contract {
  Release release = Release::k2_11;
  bool is_strict = true;  ///< as the clauses demand; otherwise as PyTorch does, mistakes included

  bool operator==(const Contract&) const = default;
};

}  // namespace assay::cuda
