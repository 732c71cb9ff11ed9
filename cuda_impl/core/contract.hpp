// The PyTorch behaviour that this runtime reproduces: a release, with or without its deviations.
#pragma once

#include <cstdint>

namespace assay::cuda {

enum class Release : std::uint8_t { k1_13, k2_4, k2_11 };

/// The rules for devices are always those of a CUDA build.
struct Contract {
  Release release = Release::k2_11;
  bool is_strict = true;  ///< follows the clauses; if false, also PyTorch's known deviations

  bool operator==(const Contract&) const = default;
};

}  // namespace assay::cuda
