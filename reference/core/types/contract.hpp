// Which PyTorch the reference is like: its release, its device's rules, and whether its own
// mistakes are copied.
#pragma once

#include <cstdint>

namespace assay::reference {

/// In the order of their appearance, so that they compare.
enum class Release : std::uint8_t { k1_13, k2_4, k2_11 };
enum class DeviceRules : std::uint8_t { kCpu, kCuda };
/// `kStrict` is what a clause demands, `kCompat` what PyTorch does where the two differ.
enum class Deviations : std::uint8_t { kStrict, kCompat };

struct Contract {
  Release release = Release::k2_11;
  DeviceRules device_rules = DeviceRules::kCuda;
  Deviations deviations = Deviations::kStrict;

  bool at_least(Release wanted) const { return release >= wanted; }
  bool before(Release wanted) const { return release < wanted; }
  bool cuda() const { return device_rules == DeviceRules::kCuda; }
  bool strict() const { return deviations == Deviations::kStrict; }
  bool operator==(const Contract&) const = default;
};

}  // namespace assay::reference
