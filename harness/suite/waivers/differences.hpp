// What releases of PyTorch that are newer than the newest contract do otherwise than that contract:
// data of this program, for the runs that judge a real PyTorch.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/waivers/waivers.hpp"

namespace assay {

/// The first two numbers of a version: 2.15 of `2.15.0+cu132`.
struct TorchRelease {
  int major = 0;
  int minor = 0;
  auto operator<=>(const TorchRelease&) const = default;
};

/// Nothing if the version does not begin with two numbers.
std::optional<TorchRelease> torch_release(std::string_view version);
std::string to_text(TorchRelease release);

/// A known difference, and the releases that have it.
struct KnownDifference {
  Waiver waiver;
  std::vector<TorchRelease> torch;
};

/// Throws std::runtime_error with file, line and column if the text is not a valid file.
std::vector<KnownDifference> differences_from_toml(std::string_view text, std::string_view name);

/// The compiled-in differences of all releases, in the order of their file.
const std::vector<KnownDifference>& all_differences();

/// The releases whose differences are known, oldest first.
std::vector<TorchRelease> releases_with_differences();

/// The known differences of this release; empty for one whose differences are not known.
std::vector<Waiver> known_differences(TorchRelease release);

/// How this PyTorch relates to the contract by which it is judged, in a sentence; empty if it is a
/// release of that contract. `applied`: whether its known differences are waived.
std::string about_release(std::string_view version, const Contract& contract, bool applied);

}  // namespace assay
