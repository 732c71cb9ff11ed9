// The PyTorch behaviour that the reference reproduces: the release, the device rules, and whether
// known deviations are included.
#pragma once

#include <array>
#include <cstdint>

namespace assay::reference {

/// In chronological order, so that releases can be compared.
enum class Release : std::uint8_t { k1_13, k2_4, k2_11, k2_12, k2_13, k2_14, k2_15 };
inline constexpr std::array kReleases = {Release::k1_13, Release::k2_4,  Release::k2_11,
                                         Release::k2_12, Release::k2_13, Release::k2_14,
                                         Release::k2_15};
inline constexpr Release kNewestRelease = kReleases.back();
enum class DeviceRules : std::uint8_t { kCpu, kCuda };
/// `kStrict` follows the clauses; `kCompat` follows PyTorch where it deviates from them.
enum class Deviations : std::uint8_t { kStrict, kCompat };

struct Contract {
  Release release = kNewestRelease;
  DeviceRules device_rules = DeviceRules::kCuda;
  Deviations deviations = Deviations::kStrict;

  bool at_least(Release wanted) const { return release >= wanted; }
  bool before(Release wanted) const { return release < wanted; }
  bool cuda() const { return device_rules == DeviceRules::kCuda; }
  bool strict() const { return deviations == Deviations::kStrict; }
  /// Before 2.8 errors of the driver had no code (FLT-004).
  bool has_codes() const { return strict() || release >= Release::k2_11; }
  bool operator==(const Contract&) const = default;
};

}  // namespace assay::reference
