// The PyTorch behaviour that this runtime reproduces: a release, with or without its deviations;
// and the one that the whole process reproduces.
#pragma once

#include <array>
#include <cstdint>

namespace assay::cuda {

/// Oldest first.
enum class Release : std::uint8_t {
  k1_13,
  k2_4,
  k2_11,
  k2_12,
  k2_13,
  k2_14,
  k2_15,
};
inline constexpr std::array kReleases = {Release::k1_13, Release::k2_4,  Release::k2_11,
                                         Release::k2_12, Release::k2_13, Release::k2_14,
                                         Release::k2_15};
inline constexpr Release kNewestRelease = kReleases.back();

/// The rules for devices are always those of a CUDA build.
struct Contract {
  Release release = kNewestRelease;
  bool is_strict = true;  ///< follows the clauses; if false, also PyTorch's known deviations

  bool operator==(const Contract&) const = default;
};

/// Returns the contract of the latest client. For code without a session: devices, streams, errors.
Contract rules();
void set_rules(Contract contract);

}  // namespace assay::cuda
